KEYWORDS = "hockey, baseball"
LIGHT = ["--views", "words", "--self-training", "0"]
"""One view and no choice: a fit that takes a moment, where a test is not about what is learned."""
SPORTS = ["-k", KEYWORDS, *LIGHT]
