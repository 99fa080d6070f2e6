# SPDX-License-Identifier: Apache-2.0
"""Convolutions, linear layers and products of activations of PyTorch in the tile's own arithmetic: forward, input
gradient and weight gradient by libtdoperator (sim/operator), bit for bit what the hardware gives."""

import ctypes

import torch
from torch import nn

from . import gpt

_ERROR_BYTES = 1024
_FORWARD, _INPUT_GRADIENT, _WEIGHT_GRADIENT = range(3)


class _Layer(ctypes.Structure):
    """td_layer of sim/operator/interface.h."""

    _fields_ = [("linear", ctypes.c_int64), ("a", ctypes.c_int64 * 4), ("w", ctypes.c_int64 * 4),
                ("go", ctypes.c_int64 * 4), ("stride", ctypes.c_int64 * 2), ("padding", ctypes.c_int64 * 2),
                ("dilation", ctypes.c_int64 * 2), ("groups", ctypes.c_int64)]


class TileError(Exception):
    """What the operator refused, in one line."""


class Tile:
    """The operator with a configuration (a file or a preset) and its own threads."""

    def __init__(self, library, config, threads=1):
        self._library = ctypes.CDLL(str(library))
        self._library.td_operator_text.restype = ctypes.c_char_p
        self._handle = ctypes.c_void_p()
        self._call("td_operator_open", str(config).encode(), threads, ctypes.byref(self._handle))
        self.name, self.hash, self.sum = self._library.td_operator_text(self._handle).decode().split()

    def close(self):
        """Frees it; no calls after this."""
        self._library.td_operator_close(self._handle)
        self._handle = ctypes.c_void_p()

    def _call(self, function, *arguments):
        error = ctypes.create_string_buffer(_ERROR_BYTES)
        if getattr(self._library, function)(*arguments, error, ctypes.c_size_t(_ERROR_BYTES)):
            raise TileError(error.value.decode(errors="replace"))

    def run(self, operation, layer, first, second, shape):
        """The operation's result, a tensor of this shape."""
        first, second = (value.detach().to(torch.float32).contiguous() for value in (first, second))
        result = torch.empty(shape)
        pointers = [ctypes.c_void_p(value.data_ptr()) for value in (first, second, result)]
        self._call("td_operator_run", self._handle, operation, ctypes.byref(layer), *pointers)
        return result

    def linear(self, value, weight):
        """functional.linear without a bias; dimensions in front of the last are all batch."""
        flat = value.reshape(-1, value.shape[-1])
        layer = _Layer(linear=1, a=tuple(flat.shape), w=tuple(weight.shape), go=(len(flat), len(weight)))
        return _Product.apply(self, layer, flat, weight).reshape(*value.shape[:-1], len(weight))

    def conv2d(self, value, weight, stride, padding, dilation, groups):
        """functional.conv2d without a bias; all but groups are pairs (y, x) of whole numbers."""
        size = [(value.shape[2 + i] + 2 * padding[i] - dilation[i] * (weight.shape[2 + i] - 1) - 1) // stride[i] + 1
                for i in range(2)]
        layer = _Layer(0, tuple(value.shape), tuple(weight.shape), (len(value), len(weight), *size), tuple(stride),
                       tuple(padding), tuple(dilation), groups)
        return _Product.apply(self, layer, value, weight)


    def matmul(self, first, second):
        """torch.matmul of activations with the same leading dimensions, as a trace has it: the convolution of one image
        with a group for each product."""
        batch = first.shape[:-2]
        first, second = (value.transpose(-1, -2).flatten(0, -3) for value in (first, second))
        groups, width, length = first.shape
        output = self.conv2d(first.reshape(1, -1, length, 1), second.reshape(-1, width, 1, 1), (1, 1), (0, 0), (1, 1),
                             groups)
        return output.reshape(*batch, -1, length).transpose(-1, -2)


class _Product(torch.autograd.Function):
    """The three operations of training on one layer."""

    @staticmethod
    def forward(context, tile, layer, value, weight):
        context.tile, context.layer = tile, layer
        context.save_for_backward(value, weight)
        return tile.run(_FORWARD, layer, value, weight, layer.go[:2] if layer.linear else layer.go[:])

    @staticmethod
    def backward(context, gradient):
        value, weight = context.saved_tensors
        run, layer = context.tile.run, context.layer
        return (None, None,
                run(_INPUT_GRADIENT, layer, gradient, weight, value.shape) if context.needs_input_grad[2] else None,
                run(_WEIGHT_GRADIENT, layer, value, gradient, weight.shape) if context.needs_input_grad[3] else None)


def use(model, tile):
    """Lets every convolution, linear layer and attention of the model compute with the tile; biases are added in
    binary32. Returns the model."""
    for name, module in model.named_modules():
        if isinstance(module, nn.Conv2d):
            if module.padding_mode != "zeros":
                raise TileError(f"layer {name}: padding_mode = {module.padding_mode!r} is illegal; legal: 'zeros'")
            module.forward = _conv_forward(module, tile, _padding(name, module))
        elif isinstance(module, nn.Linear):
            module.forward = _linear_forward(module, tile)
        elif isinstance(module, gpt.Attention):
            module.multiply = tile.matmul
    return model


def _padding(name, module):
    """The padding of a convolution as a pair, which "same" and "valid" name."""
    if module.padding == "valid":
        return 0, 0
    if module.padding != "same":
        return module.padding
    total = [d * (k - 1) for d, k in zip(module.dilation, module.kernel_size)]
    if any(t % 2 for t in total):
        raise TileError(f"layer {name}: padding = 'same' is illegal where it adds an odd number of zeros; "
                        "legal: as many on either side")
    return tuple(t // 2 for t in total)


def _conv_forward(module, tile, padding):
    def forward(value):
        output = tile.conv2d(value, module.weight, module.stride, padding, module.dilation, module.groups)
        return output if module.bias is None else output + module.bias[:, None, None]
    return forward


def _linear_forward(module, tile):
    def forward(value):
        output = tile.linear(value, module.weight)
        return output if module.bias is None else output + module.bias
    return forward
