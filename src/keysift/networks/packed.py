"""Documents of unequal length as one block without padding, and a recurrent layer that runs over it.

Time-major: first the first word of every document, then the second of those that have one, and so on. At each step the
documents that have not ended are the first rows, because they are sorted by length; no step computes a padded cell.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor


@dataclass(frozen=True)
class PackedDocuments:
    """Where the words of padded documents are in the block."""

    ids: Tensor
    """(words,) the word of each place."""
    sizes: list[int]
    """How many documents have a first word, a second, ..."""
    order: Tensor
    """(documents,) the documents, longest first: row -> place in the input."""
    mirrored: Tensor
    """(words,) the place of the word at the same distance from the other end of its document."""
    before: Tensor
    """(words after the first ones,) the place of the word before."""
    padded: Tensor
    """(documents, longest) the places of each document's words, -1 where it has ended."""


def pack(ids: Tensor) -> PackedDocuments:
    """Pack padded documents (documents, longest); 0 is padding and stands only at the end of a row.

    >>> pack(torch.tensor([[7, 0, 0], [4, 5, 6]])).ids.tolist()
    [4, 7, 5, 6]
    """
    lengths = (ids != 0).sum(1)
    # A document without words keeps one padding word, so that it has a score.
    lengths, order = lengths.clamp(min=1).sort(descending=True, stable=True)
    longest = int(lengths[0])
    rows = ids[order, :longest].T
    steps = torch.arange(longest)
    runs = steps[:, None] < lengths
    place = runs.flatten().cumsum(0).view_as(runs) - 1
    mirror = place.gather(0, (lengths - 1 - steps[:, None]).clamp(min=0))
    return PackedDocuments(
        ids=rows[runs],
        sizes=runs.sum(1).tolist(),
        order=order,
        mirrored=mirror[runs],
        before=place[:-1][runs[1:]],
        padded=torch.where(runs, place, -1).T,
    )


def run_lstm(words: Tensor, packed: PackedDocuments, weights: tuple[Tensor, ...]) -> Tensor:
    """One bidirectional LSTM layer: (words, features) -> (words, 2 units); `weights` in the order of torch.nn.LSTM."""
    w_ih, w_hh, bias = (torch.stack([weights[k], weights[k + 4]]) for k in range(3))
    both: Tensor = _Lstm.apply(  # type: ignore[no-untyped-call]
        words, w_ih, w_hh, bias + torch.stack([weights[3], weights[7]]), packed
    )
    return torch.cat([both[0], both[1].index_select(0, packed.mirrored)], dim=1)


def max_over_time(words: Tensor, packed: PackedDocuments) -> Tensor:
    """(words, features) -> (documents, features), the documents in the order of the input."""
    highest: Tensor = _Max.apply(words, packed)  # type: ignore[no-untyped-call]
    return torch.empty_like(highest).index_copy(0, packed.order, highest)


class _Lstm(torch.autograd.Function):
    """Both directions at once, so every shape begins with 2. The second direction reads every document backwards.

    Written out because torch's packed LSTM records every step for autograd: here the gradients of the weights are taken
    once, after the last step, and a step itself is a handful of operations.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, w_ih: Tensor, w_hh: Tensor, bias: Tensor, packed: PackedDocuments) -> Tensor:
        sizes, units = packed.sizes, w_hh.shape[2]
        x2 = torch.stack([x, x.index_select(0, packed.mirrored)])
        gates = torch.baddbmm(bias[:, None], x2, w_ih.transpose(1, 2))  # input, forget, candidate, output
        cell, tanh, out = (torch.empty(2, len(x), units, dtype=x.dtype) for _ in range(3))
        i_f, g, o = (torch.split(part, sizes, 1) for part in torch.split(gates, [2 * units, units, units], 2))
        i, f = (torch.split(part, sizes, 1) for part in torch.split(gates[:, :, : 2 * units], units, 2))
        steps = zip(
            torch.split(gates, sizes, 1),
            i_f,
            i,
            f,
            g,
            o,
            *(torch.split(t, sizes, 1) for t in (cell, tanh, out)),
            strict=True,
        )
        w_hh_t = w_hh.transpose(1, 2)
        c_last = h_last = None
        for size, (gate, i_f_now, i_now, f_now, g_now, o_now, c, t, h) in zip(sizes, steps, strict=True):
            if h_last is not None and c_last is not None:
                gate.baddbmm_(h_last[:, :size], w_hh_t)
            i_f_now.sigmoid_()
            o_now.sigmoid_()
            torch.mul(i_now, g_now.tanh_(), out=c)
            if c_last is not None:
                c.addcmul_(f_now, c_last[:, :size])
            torch.mul(o_now, torch.tanh(c, out=t), out=h)
            c_last, h_last = c, h
        ctx.save_for_backward(x2, w_ih, w_hh, gates, cell, tanh, out)
        ctx.packed = packed
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        x2, w_ih, w_hh, gates, cell, tanh, out = ctx.saved_tensors
        packed: PackedDocuments = ctx.packed
        sizes, units = packed.sizes, w_hh.shape[2]
        first = sizes[0]
        i, f, g, o = torch.split(gates, units, 2)
        # d cell / d gate and d out / d gate of all words at once; each step scales its own in place.
        slopes = torch.empty_like(gates)
        d_i, d_f, d_g, d_o = torch.split(slopes, units, 2)
        sigmoid_backward, tanh_backward = torch.ops.aten.sigmoid_backward, torch.ops.aten.tanh_backward
        sigmoid_backward(g, i, grad_input=d_i)
        d_f[:, :first] = 0
        sigmoid_backward(cell.index_select(1, packed.before), f[:, first:], grad_input=d_f[:, first:])
        tanh_backward(i, g, grad_input=d_g)
        sigmoid_backward(tanh, o, grad_input=d_o)
        d_tanh = tanh_backward(o, tanh)
        d_out, d_cell = grads[0].contiguous().clone(), torch.zeros_like(cell)
        by_cell = slopes.view(2, -1, 4, units)[:, :, :3]
        parts = (d_out, d_cell, d_tanh, by_cell, d_o, slopes, f)
        steps = list(zip(*(torch.split(part, sizes, 1) for part in parts), strict=True))
        for step in range(len(sizes) - 1, -1, -1):
            dh, dc, dt, ifg, last_o, slope, f_now = steps[step]
            dc.addcmul_(dh, dt)
            ifg.mul_(dc[:, :, None])
            last_o.mul_(dh)
            if step:
                before_dh, before_dc = steps[step - 1][:2]
                before_dh[:, : sizes[step]].baddbmm_(slope, w_hh)
                torch.mul(dc, f_now, out=before_dc[:, : sizes[step]])
        d_hh = torch.bmm(slopes[:, first:].transpose(1, 2), out.index_select(1, packed.before))
        d_ih = torch.bmm(slopes.transpose(1, 2), x2)
        dx = None
        if ctx.needs_input_grad[0]:
            d_x2 = torch.bmm(slopes, w_ih)
            dx = d_x2[0] + d_x2[1].index_select(0, packed.mirrored)
        return dx, d_ih, d_hh, slopes.sum(1), None


class _Max(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, words: Tensor, packed: PackedDocuments) -> Tensor:
        lowest = words.new_full((1, words.shape[1]), -torch.inf)
        highest, when = torch.cat([words, lowest])[packed.padded].max(1)
        ctx.save_for_backward(packed.padded.gather(1, when))
        ctx.words = len(words)
        return highest

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None]:
        (place,) = ctx.saved_tensors
        spread = grads[0].new_zeros(ctx.words, grads[0].shape[1])
        return spread.scatter_(0, place, grads[0]), None
