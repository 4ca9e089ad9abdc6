"""What the defaults of the networks' training come from."""
