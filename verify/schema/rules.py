# SPDX-License-Identifier: Apache-2.0
"""What JSON Schema cannot say of a configuration, or says otherwise: rules of tdgen alone."""

_LANES = "tile.lanes = 4\n"
_PATTERN = "tile.interconnect.pattern = "
_LEVELS = f"{_LANES}{_PATTERN}[[0, 0], [1, 0], [1, 1]]\ntile.interconnect.levels = "
_DENSE = 'tile.scheduling = "dense"\n'
_ZERO_GATED = 'tile.scheduling = "zero_gated"\n'

# (rule, a file that breaks it less its name, part of tdgen's message)
RULES = (
    ("two-sided tiles have one row", 'tile.scheduling = "two_sided"\ntile.columns = 1\n',
     "two_sided only with tile.rows = 1 and tile.columns = 1"),
    ("two-sided tiles have one column", 'tile.scheduling = "two_sided"\ntile.rows = 1\n',
     "two_sided only with tile.rows = 1 and tile.columns = 1"),
    ("dense tiles have no pattern", f'{_DENSE}{_PATTERN}"wide4"\n',
     'absent when tile.scheduling = "dense" or "zero_gated"'),
    ("dense tiles have no levels", f"{_ZERO_GATED}tile.interconnect.levels = [[0]]\n",
     'absent when tile.scheduling = "dense" or "zero_gated"'),
    ("dense tiles have no operand multiplexers", f"{_DENSE}tile.pipeline.interconnect = 0\n",
     'absent when tile.scheduling = "dense" or "zero_gated"'),
    ("dense tiles have no scheduler", f"{_ZERO_GATED}tile.pipeline.scheduler = 1\n",
     'absent when tile.scheduling = "dense" or "zero_gated"'),
    ("options lie within the depth", f"tile.interconnect.depth = 2\n{_PATTERN}[[0, 0], [2, 0]]\n",
     "(tile.interconnect.depth - 1)"),
    ("options lie within the lanes", f"{_LANES}{_PATTERN}[[0, 0], [1, 4]]\n", "(tile.lanes - 1)"),
    ("options differ modulo the lanes", f"{_LANES}{_PATTERN}[[0, 0], [1, 1], [1, -3]]\n",
     "options that differ modulo the"),
    ("levels have lanes that exist", f"{_LEVELS}[[0], [1], [2], [4]]\n", ", each once"),
    ("a lane is in one level", f"{_LEVELS}[[0, 2], [1, 3], [2]]\n", ", each once"),
    ("every lane is in a level", f"{_LEVELS}[[0, 2], [1]]\n", "is in no level"),
    ("lanes of a level do not conflict", f"{_LEVELS}[[0, 1], [2], [3]]\n",
     "lanes that reach no common element"),
    ("JSON has one kind of number: TOML's 16.0 is no integer", "tile.lanes = 16.0\n",
     "tile.lanes = 16.0 is illegal"),
)
