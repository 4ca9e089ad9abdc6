from pathlib import Path

import pytest
from platformdirs import user_cache_path

from keysift.errors import SettingError
from keysift.files.folders import cache_folder


def test_the_environment_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("KEYSIFT_CACHE", "~/own")
    assert cache_folder() == tmp_path / "own"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KEYSIFT_CACHE", "here")
    assert cache_folder() == tmp_path / "here"


def test_otherwise_the_folder_of_the_platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYSIFT_CACHE", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache_folder() == user_cache_path("keysift", appauthor=False)
    assert cache_folder().is_relative_to(tmp_path)
    assert not any(tmp_path.iterdir())  # asking creates nothing


@pytest.mark.parametrize("own", ["~nobody-of-this-name/cache", ""])
def test_a_user_without_a_home(own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYSIFT_CACHE", own)
    monkeypatch.setenv("HOME", "relative")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", lambda user: (_ for _ in ()).throw(KeyError(user)))
    with pytest.raises(SettingError, match="no home folder; set KEYSIFT_CACHE to a folder"):
        cache_folder()
