# SPDX-License-Identifier: Apache-2.0
"""ATen operators that multiply: their operands, and how many multiply-accumulates (MACs) they are.

A MAC is one of the dense product: zeros, padding's too, count. Each product of the backward pass has as many
as that of the forward pass. Additions, element by element products, normalisations and lookups have none."""

import math
from dataclasses import dataclass, field

import torch

LINEAR, MATMUL, CONVOLUTION = "linear", "matmul", "convolution"

# Operator: where its factors stand, also among the inputs of its autograd node.
MATRICES = {"mm": (0, 1), "addmm": (1, 2)}  # [N, C] times [C, K]
BATCHES = {"bmm": (0, 1), "baddbmm": (1, 2)}  # [B, N, C] times [B, C, K]

# Several products in one operator, whose MACs nobody has counted here: a share is at most what is said.
UNCOUNTED = {
    "_cdist_forward": "distances", "_cdist_backward": "distances", "_trilinear": "a bilinear layer",
    "_cudnn_rnn": "a fused recurrent layer", "miopen_rnn": "a fused recurrent layer",
    "mkldnn_rnn_layer": "a fused recurrent layer", "_native_multi_head_attention": "fused attention",
    "_scaled_dot_product_flash_attention": "fused attention",
    "_scaled_dot_product_flash_attention_for_cpu": "fused attention",
    "_scaled_dot_product_efficient_attention": "fused attention",
    "_scaled_dot_product_cudnn_attention": "fused attention",
    "_flash_attention_forward": "fused attention", "_efficient_attention_forward": "fused attention",
}
LOOKUPS = ("embedding", "_embedding_bag", "_embedding_bag_forward_only")  # rows of a table: nothing is multiplied


@dataclass
class Product:
    """One product of a forward pass. A is [N, C], [B, N, C] or a convolution's input, W is [K, C], [B, K, C] or its
    weight; both are PyTorch's own memory, so copy what shall stay."""

    kind: str
    a: torch.Tensor
    w: torch.Tensor
    inputs: tuple  # places of A and W among the inputs of the autograd node
    macs: int  # of the forward pass
    conv: dict = field(default_factory=dict)  # stride, padding, dilation, groups, transposed, output_padding
    exchanged: bool = False  # the result is the product's transpose

    def exchange(self):
        """The same with the operands' roles exchanged: (A Wt)t = W At. Of kind LINEAR only."""
        return Product(self.kind, self.w, self.a, self.inputs[::-1], self.macs, exchanged=not self.exchanged)


def product(operator, args):
    """The product that a call of this operator computes; None for operators that do not stand above."""
    if operator in MATRICES:
        first, second = (args[place] for place in MATRICES[operator])
        return Product(LINEAR, first, second.t(), MATRICES[operator], macs(operator, args))
    if operator in BATCHES:
        first, second = (args[place] for place in BATCHES[operator])
        if len(first) == 1:  # as einsum calls what is no batch
            return Product(LINEAR, first[0], second[0].t(), BATCHES[operator], macs(operator, args))
        return Product(MATMUL, first, second.transpose(1, 2), BATCHES[operator], macs(operator, args))
    if operator == "convolution":
        value, weight, _, stride, padding, dilation, transposed, more, groups = args[:9]
        stride, padding, dilation, more = (_each(values, weight) for values in (stride, padding, dilation, more))
        conv = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups, "transposed": transposed,
                "output_padding": more}
        return Product(CONVOLUTION, value, weight, (0, 1), macs(operator, args), conv)
    return None


def macs(operator, args):
    """MACs of any operator, of the forward or the backward pass; 0 where it has none, None where nobody counted."""
    if operator in MATRICES or operator in BATCHES:
        first, second = (args[place] for place in {**MATRICES, **BATCHES}[operator])
        return first.numel() * second.shape[-1]
    if operator == "convolution":
        return _convolution(*args[:2], *args[3:7])
    if operator == "convolution_backward":
        return _convolution(*args[1:3], *args[4:8]) * sum(args[10][:2])  # gradients of input and weight
    if operator in ("mv", "addmv"):
        return args[operator == "addmv"].numel()
    if operator in ("dot", "vdot"):
        return args[0].numel()
    if operator == "addbmm":
        return args[1].numel() * args[2].shape[-1]
    return None if operator in UNCOUNTED else 0


def _each(values, weight):
    """One number for each dimension of space; PyTorch gives one number alone, too."""
    dimensions = weight.dim() - 2
    return list(values) * dimensions if len(values) == 1 else list(values)


def _convolution(value, weight, stride, padding, dilation, transposed):
    """value [N, C, ...], weight [K, C/groups, ...]; a transposed one's kernel meets every position of its input."""
    if transposed:
        return value.numel() * math.prod(weight.shape[1:])
    sizes = zip(value.shape[2:], weight.shape[2:], *(_each(values, weight) for values in (stride, padding, dilation)))
    positions = math.prod((size + 2 * p - d * (kernel - 1) - 1) // s + 1 for size, kernel, s, p, d in sizes)
    return len(value) * positions * weight.numel()
