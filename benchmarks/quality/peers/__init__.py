"""What would be picked instead of keysift, each close to what its own documentation shows.

A peer is a function of training documents, test documents and keywords to scores of the test documents, higher for more
relevant. None sees a label. But where a setting had to be chosen (pulearn's classifier, CorEx's topics and anchor
strength, Snorkel's class balance), the choice was made by the test AUC of the first trial of some sets: in the peer's
favour, and the same for all tasks. Lbl2Vec is not among them: importing it downloads a model.
"""

from benchmarks.quality.peers.anchored import corex
from benchmarks.quality.peers.bagging import pulearn
from benchmarks.quality.peers.lexical import bm25, counting, trivial
from benchmarks.quality.peers.votes import snorkel

__all__ = ["bm25", "corex", "counting", "pulearn", "snorkel", "trivial"]
