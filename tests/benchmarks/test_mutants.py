import pytest

from benchmarks.mutants import CONFIG, MUTANTS, ROOT, Mutant, changed
from keysift.config import LearnConfig

CODE = (ROOT / "src" / CONFIG).read_text(encoding="utf-8")


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_changes_one_number_that_the_config_has_and_allows(mutant: Mutant) -> None:
    code, before = changed(CODE, mutant)
    assert float(before) == getattr(LearnConfig(), mutant.name) != float(mutant.value)
    value = type(getattr(LearnConfig(), mutant.name))(mutant.value)
    LearnConfig.restore({mutant.name: value})  # else every test would fail, which tells nothing
    different = [pair for pair in zip(CODE.splitlines(), code.splitlines(), strict=True) if pair[0] != pair[1]]
    assert len(different) == 1


def test_there_are_twelve_different_ones() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == 12
