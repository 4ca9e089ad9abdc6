"""Documents in, rankings out."""
