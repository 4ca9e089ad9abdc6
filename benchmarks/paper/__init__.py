"""The paper's data sets, and what keysift makes of them."""
