"""From a ranking to decisions: the prior, the chance of each document, the cut."""
