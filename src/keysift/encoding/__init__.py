"""Whole documents as vectors: from a sentence encoder, from a function, or made elsewhere.

`get_encoder` accepts any of the three; `encode_documents` returns one checked vector per document. What a named model
has encoded is kept on disk and never encoded again. No model is loaded before a document needs it.
"""
