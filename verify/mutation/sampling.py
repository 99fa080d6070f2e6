# SPDX-License-Identifier: Apache-2.0
"""Which of all faults are injected: each block, design and kind of fault has its share."""

import itertools

from toolbox import evidence, tools

BLOCKS = [block for block in evidence.BLOCKS if block not in evidence.SOFTWARE]


def _in_turn(groups):
    """One of each group, then another of each, until all are empty."""
    missing = object()
    for one in itertools.zip_longest(*groups, fillvalue=missing):
        yield from (item for item in one if item is not missing)


def _grouped(items, key):
    groups = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return list(groups.values())


def _order(mutants, seed):
    """All faults of a block, shuffled; designs take turns, and kinds of faults within them."""
    shuffled = sorted(mutants, key=lambda one: tools.digest(str(seed), one.key, one.design.hash))
    designs = [_in_turn(_grouped(part, lambda one: one.operator))
               for part in _grouped(shuffled, lambda one: one.design.hash)]
    return _in_turn(designs)


def sample(designs, count, seed, blocks=None):
    """`count` different faults (fewer if there are no more), by block; each block has an equal
    share, and what it cannot fill goes to the others."""
    every = [mutant for design in designs for mutant in design.mutants]
    orders = []
    for block in blocks or BLOCKS:
        seen = set()
        orders.append([one for one in _order([one for one in every if one.block == block], seed)
                       if not (one.key in seen or seen.add(one.key))])
    chosen = itertools.islice(_in_turn(orders), count)
    places = {block: at for at, block in enumerate(BLOCKS)}
    return sorted(chosen, key=lambda one: (places[one.block], one.design.name, one.line))
