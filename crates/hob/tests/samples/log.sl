spec module Log {
    proc add(text : string) ensures true;
}
