"""Right on corpora that nobody tuned it to? keysift and simple rankings on many kinds of text, without labels."""
