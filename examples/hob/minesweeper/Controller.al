abst module Controller {
  use plugin "flags";
  predvar started;
  predvar playing;
  predvar finished;
}
