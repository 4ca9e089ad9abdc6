"""Colours of the pages can be read in the light and in the dark: contrast as WCAG 2.2 AA asks for it."""

import re
from importlib.resources import files

import pytest

STYLE = files("keysift.present").joinpath("templates", "style.css").read_text(encoding="utf-8")
COLOUR = re.compile(r"--(\w+): (#[0-9a-f]{3,6});")


def schemes() -> dict[str, dict[str, str]]:
    light, dark = (dict(COLOUR.findall(part)) for part in STYLE.split("prefers-color-scheme: dark", 1))
    return {"light": light, "dark": dark}


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#fff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_shapes_stand_out(scheme: str) -> None:
    colours = schemes()[scheme]
    assert set(colours) == set(schemes()["light"])  # neither scheme lacks a colour
    backgrounds = {
        "ink": ("paper", "panel", "keyword", "raises", "lowers"),
        "soft": ("paper", "panel"),
        "with": ("paper",),
        "cut": ("paper",),
    }
    for text, behind in backgrounds.items():
        for one in behind:
            assert contrast(colours[text], colours[one]) >= 4.5, (text, one)
    for shape in ("with", "without", "cut"):
        assert contrast(colours[shape], colours["paper"]) >= 3, shape
