from keysift.audit.estimates import Estimate
from keysift.present.intervals import LEFT, RIGHT, WIDTH, interval_picture


def test_bars_and_dots_are_where_the_values_are() -> None:
    picture = interval_picture([("precision", Estimate(0.5, 0.0, 1.0)), ("recall", Estimate(None, 0.2, 0.2))])
    whole, point = picture.bars
    assert (whole.x, whole.x + whole.width) == (LEFT, WIDTH - RIGHT)
    assert point.width > 0  # something is to be seen of it
    (dot,) = picture.dots
    assert dot.x == (LEFT + WIDTH - RIGHT) / 2
    assert whole.y < dot.y < whole.y + whole.height
    assert {label.text for label in picture.labels} >= {"precision", "recall", "0%", "100%"}
