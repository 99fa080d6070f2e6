# SPDX-License-Identifier: Apache-2.0
"""The example networks, as text."""

CLASSIC = {  # convolutions have stride 1, keep the size and end in a ReLU; pool halves the size
    "plain": "conv16 conv32 pool conv32 conv32 pool conv64 conv64 pool linear64",
    "vgg": "conv64 conv64 pool conv128 conv128 pool conv256 conv256 pool linear256",
    "alexnet": "conv64k5 pool conv192k5 pool conv384 conv256 conv256 pool drop linear512 drop linear512",
}
RESIDUAL = {  # a stem of 16 channels, then blocks: (channels, stride, groups of conv1, dilation of conv2)
    "resnet": ((32, 2, 1, 1), (64, 2, 1, 1), (64, 1, 2, 2)),
}
# Of a text: activation of the hidden layers, and whether only their largest units are kept.
DECODERS = {f"gpt_{kind}{top}": kind + top for kind in ("gelu", "relu", "relu2") for top in ("", "_top")}
NETWORKS = [*CLASSIC, *RESIDUAL, *DECODERS]
