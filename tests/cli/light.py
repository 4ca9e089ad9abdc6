KEYWORDS = "hockey, baseball"
LIGHT = ["--views", "words", "--encoder", "none", "--rounds", "0"]
"""One view and no rounds: a fit that takes a moment, where a test is not about what is learned."""
SPORTS = ["-k", KEYWORDS, *LIGHT]
