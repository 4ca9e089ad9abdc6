from keysift.audit.estimates import Estimate
from keysift.present.intervals import LEFT, RIGHT, interval_picture
from tests.present.pictures import check_both


def test_bars_and_dots_are_where_the_values_are() -> None:
    rows = [("theta', relevant among pseudo-negative", Estimate(0.5, 0.0, 1.0)), ("recall", Estimate(None, 0.2, 0.2))]
    for picture in check_both(interval_picture(rows)):
        whole, point = picture.bars
        assert (whole.x, whole.x + whole.width) == (LEFT, picture.width - RIGHT)
        assert point.width > 0  # something is to be seen of it
        (dot,) = picture.dots
        assert dot.x == (LEFT + picture.width - RIGHT) / 2
        assert whole.y < dot.y < whole.y + whole.height
        assert {label.text for label in picture.labels} >= {rows[0][0], "recall", "0%", "100%"}
