# SPDX-License-Identifier: Apache-2.0
"""Where in a model an operator is called, and which of its parameters is multiplied: the names of layers."""

import itertools
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Place:
    """One call of one module; the outermost has no module."""

    path: str
    module: nn.Module
    number: int  # of the call


def memory(tensor):
    """The address of the memory that a tensor and its views share."""
    if hasattr(tensor, "untyped_storage"):
        return tensor.untyped_storage().data_ptr()
    return tensor.storage().data_ptr()


class Names:
    """Follows the calls of a model's modules by hooks, until close()."""

    def __init__(self, model):
        self.batch = None  # dimension 0 of what the outermost module is called with
        self.used = set()  # paths of modules that were called, and parameters that were multiplied by
        self._numbers, self._stack = itertools.count(1), [Place("", None, 0)]
        self._parameters, self._kept, self._handles = {}, [], []
        self._model, self._forward = model, vars(model).get("forward")
        model.forward = self._seeing_keywords(model.forward)
        for path, module in model.named_modules():
            self._handles += [module.register_forward_pre_hook(self._entry(path)),
                              module.register_forward_hook(self._exit)]
        for name, parameter in model.named_parameters():
            if not isinstance(parameter, nn.parameter.UninitializedParameter):
                self._parameters.setdefault(memory(parameter), name)

    def close(self):
        for handle in self._handles:
            handle.remove()
        if self._forward is None:
            del self._model.forward
        else:
            self._model.forward = self._forward

    @property
    def place(self):
        return self._stack[-1]

    def _entry(self, path):
        def enter(module, inputs):
            if len(self._stack) == 1:
                self.batch = None
            self._see(inputs)
            self.used.add(path)
            self._stack.append(Place(path, module, next(self._numbers)))
        return enter

    def _see(self, inputs):
        values = [value for value in inputs if isinstance(value, torch.Tensor) and value.dim() > 0]
        if self.batch is None and values:
            self.batch = len(values[0])

    def _seeing_keywords(self, forward):
        """Hooks are not told of arguments with keywords, those of PyTorch 1.13 at least."""
        def seen(*inputs, **named):
            self._see([*inputs, *named.values()])
            return forward(*inputs, **named)
        return seen

    def _exit(self, *_):
        self._stack.pop()

    def copied(self, source, copy):
        """A copy of a parameter, as autocast makes it, is that parameter."""
        if memory(source) in self._parameters:
            self._parameters[memory(copy)] = self._parameters[memory(source)]
            self._kept.append(copy)  # so that nobody else gets its address

    def parameter(self, tensor):
        """Full name of the parameter that the tensor is, or is a part of; None for others."""
        own = self._own(tensor)
        name = own if own is not None else self._parameters.get(memory(tensor))
        self.used.add(name)
        return name

    def _own(self, tensor):
        if self.place.module is None:
            return None
        for name, parameter in self.place.module.named_parameters(recurse=False):
            if memory(parameter) == memory(tensor):
                return f"{self.place.path}.{name}".lstrip(".")
        return None

    def layer(self, operator, tensor):
        """What a layer that multiplies by this tensor is called, here and now."""
        name = self.parameter(tensor)
        weight = getattr(self.place.module, "weight", None)
        if name is None and isinstance(weight, torch.Tensor) and weight.shape == tensor.shape:
            name = f"{self.place.path}.weight".lstrip(".")  # made from parameters: weight normalisation, pruning
        if name is None:
            return f"{self.place.path}.{operator}".lstrip(".")
        return "model" if name == "weight" else name[:-len(".weight")] if name.endswith(".weight") else name
