from keysift.review.fingerprints import fingerprint, fingerprints


def test_spaces_do_not_count_and_letters_do() -> None:
    same = fingerprints(["a goal", " a\tgoal\r\n", "a\u00a0goal"])
    assert len(set(same)) == 1
    assert fingerprint("A goal") not in same
    assert fingerprint("") not in same


def test_it_is_the_same_in_every_version() -> None:
    assert fingerprint("a goal") == "97902305f413fb5a924f96aa7aa01296"


def test_half_a_character_is_no_fault() -> None:
    assert fingerprint("\ud800") != fingerprint("\ud801")
