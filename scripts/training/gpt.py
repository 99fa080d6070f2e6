# SPDX-License-Identifier: Apache-2.0
"""The example transformer: a small decoder that predicts the next character of a text, as GPT is built."""

import math

import torch
from torch import nn
from torch.nn import functional

WIDTH, HEADS, BLOCKS = 128, 4, 3
WINDOW = 64  # characters that it sees
SHARE = 8  # of top-k: one hidden unit in so many is kept


def squared_relu(x):
    return functional.relu(x).square()


ACTIVATIONS = {"gelu": functional.gelu, "relu": functional.relu, "relu2": squared_relu}


class Attention(nn.Module):
    """Causal: a character looks at those before it."""

    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.register_buffer("hidden", torch.ones(WINDOW, WINDOW, dtype=torch.bool).triu(1), persistent=False)
        self.multiply = torch.matmul

    def forward(self, x):
        query, key, value = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        scores = self.multiply(query, key.transpose(-1, -2)) / math.sqrt(WIDTH // HEADS)
        weights = scores.masked_fill(self.hidden, -math.inf).softmax(-1)
        return self.out(self.multiply(weights, value).transpose(1, 2).flatten(2))


class Block(nn.Module):
    """Attention and a hidden layer, each behind a normalisation and beside a shortcut."""

    def __init__(self, activation, keeps):
        super().__init__()
        self.norm1, self.attention = nn.LayerNorm(WIDTH), Attention()
        self.norm2, self.up, self.down = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.activation, self.keeps = ACTIVATIONS[activation], keeps

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        hidden = self.activation(self.up(self.norm2(x)))
        if self.keeps:
            least = hidden.abs().topk(self.keeps, -1).values[..., -1:]
            hidden = hidden * (hidden.abs() >= least)
        return x + self.down(hidden)


class Decoder(nn.Module):
    """What it is called with: characters [N, WINDOW]; what it gives: scores of the next ones [N, WINDOW, characters]."""

    def __init__(self, characters, activation, keeps):
        super().__init__()
        self.characters, self.places = nn.Embedding(characters, WIDTH), nn.Parameter(torch.zeros(WINDOW, WIDTH))
        self.blocks = nn.Sequential(*(Block(activation, keeps) for _ in range(BLOCKS)))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, characters, bias=False)
        for module in self.modules():
            if isinstance(module, (nn.Linear, nn.Embedding)):
                nn.init.normal_(module.weight, std=0.02)

    def forward(self, text):
        x = self.characters(text) + self.places
        return self.head(self.norm(self.blocks(x)))


def build(kind, characters):
    """kind: an activation, with _top behind it where the largest hidden units alone are kept."""
    activation, _, top = kind.partition("_")
    return Decoder(characters, activation, 4 * WIDTH // SHARE if top else 0)
