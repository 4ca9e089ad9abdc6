"""How good is the ranking, beside what else would be picked? Peers and keysift on many keyword sets, without labels."""
