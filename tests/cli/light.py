KEYWORDS = "hockey, baseball"
LIGHT = ["--encoder", "none", "--rounds", "0"]
"""Words, their pieces and no rounds: a fit that takes a moment, where a test is not about what is learned."""
SPORTS = ["-k", KEYWORDS, *LIGHT]
