"""Decisions one can defend: the prior, the threshold and the audit, measured on the five sets."""
