"""What holds for every picture: shapes and labels are inside, and no label is over another."""

from keysift.present.drawing import NARROW, WIDE, Drawing, Points

LETTER = 7.5
"""How wide a letter is."""


def check_both(picture: Drawing) -> tuple[Drawing, Drawing]:
    """Both are as wide as they should be, and can be read."""
    assert picture.narrow is not None
    assert (picture.width, picture.narrow.width) == (WIDE, NARROW)
    check_picture(picture)
    check_picture(picture.narrow)
    return picture, picture.narrow


def check_picture(picture: Drawing) -> None:
    places = [point for points in shapes(picture) for point in points]
    places += [place for line in (*picture.lines, *picture.grid) for place in ((line.x1, line.y1), (line.x2, line.y2))]
    places += [(bar.x, bar.y) for bar in picture.bars]
    places += [(bar.x + bar.width, bar.y + bar.height) for bar in picture.bars]
    for x, y in places:
        assert -1e-9 <= x <= picture.width + 1e-9
        assert -1e-9 <= y <= picture.height + 1e-9
    found = boxes(picture)
    for place, one in enumerate(found):
        assert one[0] >= 0, one
        assert one[1] <= picture.width, one
        assert 10 <= one[2] <= picture.height, one
        for other in found[:place]:
            apart = one[1] <= other[0] or other[1] <= one[0] or abs(one[2] - other[2]) >= 13
            assert apart, (one, other)


def shapes(picture: Drawing) -> list[Points]:
    return [*(curve.points for curve in picture.curves), *(band.points for band in picture.bands)]


def boxes(picture: Drawing) -> list[tuple[float, float, float, str]]:
    """From where to where each label goes, and at what height."""
    found = []
    for label in picture.labels:
        wide = LETTER * len(label.text)
        start = label.x - {"start": 0.0, "middle": wide / 2, "end": wide}[label.anchor]
        found.append((start, start + wide, label.y, label.text))
    return found
