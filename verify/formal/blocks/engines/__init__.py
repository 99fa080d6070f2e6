# SPDX-License-Identifier: Apache-2.0
"""Proofs about the engines around the tiles: transfers, turns of halves, where rows of a fill go."""

from . import dma, placer, turns

SUBJECTS = (dma, turns, placer)
