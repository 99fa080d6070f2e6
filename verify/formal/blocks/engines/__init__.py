# SPDX-License-Identifier: Apache-2.0
"""Proofs about the engines around the tiles: transfers, turns of halves, where rows of a fill
and results go."""

from . import dma, placer, results, turns

SUBJECTS = (dma, turns, placer, results)
