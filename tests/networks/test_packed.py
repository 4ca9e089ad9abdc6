"""The layer written out here against torch.nn.LSTM, and the maximum over time against an obvious loop."""

from collections.abc import Callable

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from keysift.networks.packed import PackedDocuments, max_over_time, pack, run_lstm
from tests.networks.words import some_documents

FEATURES, UNITS = 3, 2
LENGTHS = st.lists(st.integers(1, 7), min_size=1, max_size=6)


def over_lengths(test: Callable[..., None]) -> Callable[..., None]:
    """Lengths of all kinds; by name one word each, one length for all, and one that outlasts the rest."""
    for lengths in ([1], [1, 1, 1], [5, 5, 5], [1, 9]):
        test = example(lengths=lengths, seed=0)(test)
    return settings(max_examples=30)(given(lengths=LENGTHS, seed=st.integers(0, 99))(test))


def place(packed: PackedDocuments, document: int, time: int) -> int:
    """Where a word stands in the block, found by looking through it."""
    row = packed.order.tolist().index(document)
    return sum(packed.sizes[:time]) + row


def same(ours: Tensor | None, theirs: Tensor | None) -> None:
    assert ours is not None
    assert theirs is not None
    torch.testing.assert_close(ours, theirs, atol=1e-12, rtol=1e-9)


@over_lengths
def test_pack_lists_the_words_time_by_time(lengths: list[int], seed: int) -> None:
    ids = some_documents(lengths, seed)
    packed = pack(ids)
    assert [lengths[row] for row in packed.order.tolist()] == sorted(lengths, reverse=True)
    assert packed.sizes == [sum(length > time for length in lengths) for time in range(max(lengths))]
    before = []
    for time in range(max(lengths)):
        for row, document in enumerate(packed.order.tolist()):
            if time >= lengths[document]:
                assert packed.padded[row, time] == -1
                continue
            here = place(packed, document, time)
            assert packed.ids[here] == ids[document, time]
            assert packed.padded[row, time] == here
            assert packed.mirrored[here] == place(packed, document, lengths[document] - 1 - time)
            if time:
                before.append(place(packed, document, time - 1))
    assert packed.before.tolist() == before
    assert len(packed.ids) == sum(lengths)


def test_documents_of_one_length_keep_their_order() -> None:
    assert pack(some_documents([4, 2, 4, 2])).order.tolist() == [0, 2, 1, 3]


def test_a_document_without_words_keeps_one_padding_word() -> None:
    packed = pack(some_documents([0, 2, 0]))
    assert packed.sizes == [3, 1]
    assert packed.order.tolist() == [1, 0, 2]
    assert packed.ids[1:3].tolist() == [0, 0]
    assert pack(torch.zeros(2, 3, dtype=torch.int64)).ids.tolist() == [0, 0]


def lstm_and_input(lengths: list[int], seed: int) -> tuple[nn.LSTM, Tensor]:
    torch.manual_seed(seed)
    lstm = nn.LSTM(FEATURES, UNITS, bidirectional=True, batch_first=True).double()
    return lstm, torch.randn(len(lengths), max(lengths), FEATURES, dtype=torch.float64)


@over_lengths
def test_the_layer_equals_torchs_with_all_gradients(lengths: list[int], seed: int) -> None:
    lstm, words = lstm_and_input(lengths, seed)
    packed = pack(some_documents(lengths, seed))
    everywhere = [(document, time) for document, length in enumerate(lengths) for time in range(length)]
    block = torch.tensor([place(packed, *where) for where in everywhere])

    theirs_in = words.clone().requires_grad_()
    theirs, _ = pad_packed_sequence(
        lstm(pack_padded_sequence(theirs_in, torch.tensor(lengths), batch_first=True, enforce_sorted=False))[0],
        batch_first=True,
    )
    ours_in = torch.stack([words[where] for where in everywhere])[block.argsort()].requires_grad_()
    weights = tuple(weight.detach().clone().requires_grad_() for weight in lstm.parameters())
    ours = run_lstm(ours_in, packed, weights)

    same(ours[block], torch.stack([theirs[where] for where in everywhere]))
    slopes = torch.randn(len(everywhere), 2 * UNITS, dtype=torch.float64)
    (ours[block] * slopes).sum().backward()  # type: ignore[no-untyped-call]
    (torch.stack([theirs[where] for where in everywhere]) * slopes).sum().backward()  # type: ignore[no-untyped-call]
    for mine, parameter in zip(weights, lstm.parameters(), strict=True):
        same(mine.grad, parameter.grad)
    assert ours_in.grad is not None
    assert theirs_in.grad is not None
    same(ours_in.grad[block], torch.stack([theirs_in.grad[where] for where in everywhere]))


@pytest.mark.parametrize("lengths", [[1], [2, 2], [1, 3, 2]])
def test_the_gradient_of_the_layer_is_what_a_small_step_does(lengths: list[int]) -> None:
    lstm, _ = lstm_and_input(lengths, 0)
    packed = pack(some_documents(lengths))
    words = torch.randn(sum(lengths), FEATURES, dtype=torch.float64, requires_grad=True)
    weights = tuple(weight.detach().requires_grad_() for weight in lstm.parameters())

    def run(words: Tensor, *weights: Tensor) -> Tensor:
        return run_lstm(words, packed, weights)

    assert torch.autograd.gradcheck(run, (words, *weights))


def test_words_that_are_fixed_get_no_gradient_and_the_weights_still_do() -> None:
    lstm, words = lstm_and_input([3, 2], 0)
    packed = pack(some_documents([3, 2]))
    run_lstm(words.reshape(-1, FEATURES)[:5], packed, tuple(lstm.parameters())).sum().backward()  # type: ignore[no-untyped-call]
    assert all(weight.grad is not None and weight.grad.abs().sum() > 0 for weight in lstm.parameters())
    assert words.grad is None


@over_lengths
def test_the_maximum_equals_an_obvious_loop_with_its_gradient(lengths: list[int], seed: int) -> None:
    packed = pack(some_documents(lengths, seed))
    torch.manual_seed(seed)
    # A few equal values, so that there are ties.
    words = torch.randint(-3, 3, (sum(lengths), FEATURES)).double()
    ours_in, theirs_in = (words.clone().requires_grad_() for _ in range(2))
    ours = max_over_time(ours_in, packed)
    theirs = torch.stack(
        [
            torch.stack([theirs_in[place(packed, document, time)] for time in range(length)]).max(0).values
            for document, length in enumerate(lengths)
        ]
    )
    assert torch.equal(ours, theirs)
    slopes = torch.randn_like(ours)
    (ours * slopes).sum().backward()  # type: ignore[no-untyped-call]
    (theirs * slopes).sum().backward()  # type: ignore[no-untyped-call]
    same(ours_in.grad, theirs_in.grad)


def test_the_gradient_of_the_maximum_is_what_a_small_step_does() -> None:
    packed = pack(some_documents([1, 4, 2, 0]))
    torch.manual_seed(0)
    words = torch.randn(8, FEATURES, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda words: max_over_time(words, packed), (words,))
