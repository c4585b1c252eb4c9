// The simulation as a whole.
spec module Main {
  proc main()
    requires (not Simparm.Init) & (not Simparm.ParmsLoaded) & (not Ensemble.Init) & (not Ensemble.INITIA) &
             (not Ensemble.PREDIC) & (not Ensemble.INTRAF) & (not Ensemble.VIR) & (not Ensemble.INTERF) &
             (not Ensemble.SCALED) & (not Ensemble.CORREC) & (not Ensemble.KINETI) & (not Ensemble.BNDRY) &
             (not Ensemble.POTENG) & (not Ensemble.Sampled) & (not Report.Headed) & (not Report.Rows) & (not Report.Closed)
    modifies Simparm.Init, Simparm.ParmsLoaded, Ensemble.Init, Ensemble.INITIA, Ensemble.PREDIC, Ensemble.INTRAF,
             Ensemble.VIR, Ensemble.INTERF, Ensemble.SCALED, Ensemble.CORREC, Ensemble.KINETI, Ensemble.BNDRY,
             Ensemble.POTENG, Ensemble.Sampled, Report.Headed, Report.Rows, Report.Closed
    calls Simparm, Ensemble, Report
    ensures Report.Closed' & (Ensemble.BNDRY' | Ensemble.POTENG');
}
