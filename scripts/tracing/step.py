# SPDX-License-Identifier: Apache-2.0
"""One training step, watched at the level of ATen operators: every product of its forward passes with the gradient
of its result, and the MACs of all that it multiplies, forward and backward."""

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from unittest import mock

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .layers import refusal
from .names import Names, memory
from .products import CONVOLUTION, LINEAR, LOOKUPS, MATMUL, UNCOUNTED, Product, macs, product


@dataclass
class Call:
    """One call of an operator that multiplies. Of A and GO it has copies, of the images that are kept."""

    name: str
    operator: str
    macs: int
    recomputed: bool = False  # within the backward pass
    why: str = None  # it cannot be captured
    place: int = 0  # the module's call
    weight: tuple = None  # which part of which parameter W is; None: it is an activation
    product: Product = None
    kept: int = None  # entries of dimension 0 that are kept; None: all
    A: torch.Tensor = None
    W: torch.Tensor = None
    GO: torch.Tensor = None
    needs_input_grad: bool = False
    needs_weight_grad: bool = False
    ran: bool = False  # the backward pass went through it

    @property
    def step_macs(self):
        """Of the forward product and of those that the backward pass computes for it."""
        return self.macs * (1 + self.needs_input_grad + self.needs_weight_grad)

    def copy(self, value):
        """A copy of the images kept: an in-place operator may change the value later."""
        value = value.detach()[:self.kept]
        return value.to("cpu", torch.float32, copy=True)


@dataclass
class Counts:
    """MACs of the step."""

    total: int = 0
    backward: int = 0  # those of the total that are of backward passes
    recomputed: int = 0  # forward passes done again; not in the total
    uncounted: Counter = field(default_factory=Counter)  # operators of which no count is known
    lookups: dict = field(default_factory=dict)  # names of tables


class Step(TorchDispatchMode):
    """Watches what is done between start and end of watch()."""

    def __init__(self, model, images, seen=lambda calls: None):
        super().__init__()
        self.names, self.images, self.seen = Names(model), images, seen
        self.calls, self.counts = [], Counts()
        self._pending, self._handles, self._weights = None, [], {}
        self._engine = _Engine()

    @contextmanager
    def watch(self):
        """Within, operators are seen; afterwards nothing of this stays in the model."""
        try:
            with mock.patch.object(torch.autograd.Variable, "_execution_engine", self._engine), self:
                yield self
                self._follow()
        finally:
            self.names.close()
            for handle in self._handles:
                handle.remove()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self._follow()
        output = func(*args, **(kwargs or {}))
        operator = func._schema.name.split("::")[1].rstrip("_")
        if operator in ("_to_copy", "clone"):
            self.names.copied(args[0], output)
        elif operator in LOOKUPS:
            self.counts.lookups.setdefault(self.names.layer(operator, args[0]), operator)
        elif operator in UNCOUNTED:
            self.counts.uncounted[operator] += 1
        else:
            self._count(operator, args, output)
        return output

    def _count(self, operator, args, output):
        count = macs(operator, args)
        if count == 0:
            return
        backward = self._engine.running and not self._engine.is_forward_again()
        self.counts.total += count
        self.counts.backward += count if backward else 0
        if not backward:
            self._forward(operator, args, output, count)

    def _forward(self, operator, args, output, count):
        found = product(operator, args)
        if found is None:
            name = self.names.layer(operator, args[0])
            self.calls.append(Call(name, operator, count, self._engine.running, "not a product of matrices"))
            return
        parameter = self.names.parameter(found.w)
        if found.kind == LINEAR and parameter is None and self.names.parameter(found.a) is not None:
            found = found.exchange()
            parameter = self.names.parameter(found.w)
        w = found.w
        kind = CONVOLUTION if found.kind == CONVOLUTION else MATMUL
        call = Call(self.names.layer(kind, w), operator, count, self._engine.running, refusal(found),
                    self.names.place.number, product=found, kept=self._kept(len(found.a)))
        if parameter is not None:
            call.weight = memory(w), w.storage_offset(), tuple(w.shape), tuple(w.stride())
        if call.why is None and torch.is_grad_enabled():
            call.A, call.W = call.copy(found.a), self._weight(call, w)
        found.a = found.w = None  # PyTorch may have the memory back
        self.calls.append(call)
        self._pending = call, output
        self.seen(len(self.calls))

    def _kept(self, entries):
        """How many of dimension 0 are those of the images wanted; None: all, as where it is no batch."""
        batch = self.names.batch
        if not batch or entries % batch or batch <= self.images:
            return None
        return entries // batch * self.images

    def _weight(self, call, w):
        """Its copy; the steps of a recurrent layer share one."""
        if call.weight is None:
            return call.copy(w) if call.product.kind == MATMUL else w.detach().to("cpu", torch.float32, copy=True)
        key = call.place, call.weight
        if key not in self._weights:
            self._weights[key] = w.detach().to("cpu", torch.float32, copy=True)
        return self._weights[key]

    def _follow(self):
        """Asks for the gradient of the result seen last. Its autograd node is there only now, and still that of the
        product: an operator that changes the result in place has not begun."""
        if self._pending is None:
            return
        (call, output), self._pending = self._pending, None
        if output.grad_fn is None or (call.A is None and call.why is None):
            return
        place_a, place_w = call.product.inputs

        def ran(gradients, results):
            call.ran = True
            call.needs_input_grad |= gradients[place_a] is not None
            call.needs_weight_grad |= gradients[place_w] is not None
            if call.why is None and results[0] is not None:
                gradient = results[0]
                if call.product.kind == LINEAR:
                    gradient = gradient.reshape(-1, gradient.shape[-1])
                gradient = call.copy(gradient.t() if call.product.exchanged else gradient)
                call.GO = gradient if call.GO is None else call.GO + gradient

        self._handles.append(output.grad_fn.register_hook(ran))


class _Engine:
    """PyTorch's engine of backward passes, which says when it runs."""

    def __init__(self):
        self._engine = torch.autograd.Variable._execution_engine
        self._creating = []  # of the passes under way: whether they can be differentiated again

    def run_backward(self, *args, **kwargs):
        self._creating.append(kwargs.get("create_graph", len(args) > 3 and args[3]))
        try:
            return self._engine.run_backward(*args, **kwargs)
        finally:
            self._creating.pop()

    def __getattr__(self, name):
        return getattr(self._engine, name)

    @property
    def running(self):
        return bool(self._creating)

    def is_forward_again(self):
        """Whether what runs in a backward pass is a forward pass: checkpoints compute theirs again."""
        return torch.is_grad_enabled() and not self._creating[-1]
