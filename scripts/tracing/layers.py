# SPDX-License-Identifier: Apache-2.0
"""Products as layers of a trace, which has two types: conv2d and linear.

A product of two activations is the 1x1 convolution of one image that has a group for each element of the batch;
a Conv1d is a convolution of height 1; a Conv3d that of an image for each result along its depth, in which a channel
is one for each tap along the depth: the gradient of its input is in as many parts, still to be added. A transposed
convolution is the convolution whose dgrad it is: A is its output's gradient and GO its input, its forward pass is
`dgrad`, and its input's gradient is `fwd`."""

from torch.nn import functional

from .products import CONVOLUTION, LINEAR, MATMUL


def refusal(product):
    """Why the format cannot hold this product; None where it can."""
    if product.a.is_complex() or product.w.is_complex():
        return "its numbers are complex"
    if 0 in product.a.shape or 0 in product.w.shape:
        return "it is empty"
    conv = product.conv
    if conv.get("transposed") and any(more >= step for more, step in zip(conv["output_padding"], conv["stride"])):
        return "its output_padding is a stride or more"
    return None


def layer(product, a, w, go, needs_input_grad, needs_weight_grad):
    """(facts, operands) of a product whose operands have been copied: what a trace says of the layer, and its
    tensors A, W and GO."""
    if product.kind == LINEAR:
        facts = {"type": "linear", "needs_input_grad": needs_input_grad}
    elif product.kind == MATMUL:
        batch = len(a)
        a, go = (value.transpose(1, 2).reshape(1, -1, value.shape[1], 1) for value in (a, go))
        # W stays whole when A and GO have lost images.
        w = w[:batch].reshape(-1, w.shape[2], 1, 1)
        facts = {"type": "conv2d", "stride": [1, 1], "padding": [0, 0], "dilation": [1, 1], "groups": batch,
                 "needs_input_grad": needs_input_grad, "operator": "matmul"}
    else:
        return _convolution(product, a, w, go, needs_input_grad, needs_weight_grad)
    return _omit(facts, [] if needs_weight_grad else ["wgrad"]), {"A": a, "W": w, "GO": go}


def _convolution(product, a, w, go, needs_input_grad, needs_weight_grad):
    conv = dict(product.conv)
    transposed = conv.pop("transposed")
    del conv["output_padding"]  # refused unless the shapes of A and GO say it
    dimensions = w.dim() - 2
    if dimensions == 1:
        a, w, go = (value.unsqueeze(2) for value in (a, w, go))
        for key, filled_in in (("stride", 1), ("padding", 0), ("dilation", 1)):
            conv[key] = [filled_in, *conv[key]]
    omitted = [] if needs_weight_grad else ["wgrad"]
    if transposed:
        a, go = go, a
        omitted += [] if needs_input_grad else ["fwd"]
        needs_input_grad = True
    if dimensions == 3:
        first = {key: conv[key].pop(0) for key in ("stride", "padding", "dilation")}
        a = _depth_to_channels(a, w.shape[2], **first)
        go = go.transpose(1, 2).flatten(0, 1)
        w = w.flatten(1, 2)
    facts = {"type": "conv2d", **conv, "needs_input_grad": needs_input_grad}
    operator = f"conv{'_transpose' if transposed else ''}{dimensions}d"
    if operator != "conv2d":
        facts["operator"] = operator
    return _omit(facts, omitted), {"A": a, "W": w, "GO": go}


def _depth_to_channels(a, taps, stride, padding, dilation):
    """[N, C, D, H, W] -> [N·results, C·taps, H, W]: what each result along the depth is made of. Padding becomes zeros
    of A."""
    a = functional.pad(a, (0, 0, 0, 0, padding, padding))
    reach = dilation * (taps - 1) + 1
    windows = a.unfold(2, reach, stride)[..., ::dilation]  # [N, C, results, H, W, taps]
    return windows.permute(0, 2, 1, 5, 3, 4).flatten(2, 3).flatten(0, 1)


def _omit(facts, operations):
    return {**facts, **({"omits": operations} if operations else {})}
