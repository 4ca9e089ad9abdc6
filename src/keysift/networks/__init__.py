"""Neural networks instead of the linear model; torch is imported only when a network is asked for."""
