"""How fast it is, always against a yardstick in the same run."""
