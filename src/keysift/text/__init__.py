"""Documents to tokens to sparse counts."""
