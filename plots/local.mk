# plots
