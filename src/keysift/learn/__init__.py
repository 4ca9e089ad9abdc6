"""From the keywords to a ranking, without a label."""
