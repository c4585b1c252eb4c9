package acme;

public abstract class AbstractMeter implements Meter {}
