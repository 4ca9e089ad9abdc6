"""Whole documents as vectors: a sentence encoder, a function, or vectors made elsewhere.

`get_encoder` takes any of the three, `encode_documents` gives one vector a document and checks it. What a named model
has encoded is kept on disk and never encoded again. Nothing here loads a model before a document needs it.
"""

from keysift.encoding.checks import check_length
from keysift.encoding.documents import encode_documents
from keysift.encoding.encoder import Encoder, TextEncoder, get_encoder
from keysift.encoding.precomputed import Precomputed

__all__ = ["Encoder", "Precomputed", "TextEncoder", "check_length", "encode_documents", "get_encoder"]
