# SPDX-License-Identifier: Apache-2.0
"""Figures that were measured on a processor: they differ from run to run, and so are read from what is stored."""

import re

from toolbox import tools
from toolbox.errors import CheckError

OUTPUTS = tools.ROOT / "verify/documents/outputs/measured"


def values(study, pattern):
    """What the pattern matches in the lines that scripts/measure printed of a study; at least once."""
    text = (OUTPUTS / f"measure_{study}.txt").read_text(encoding="utf-8")
    found = re.findall(pattern, text, re.MULTILINE)
    if not found:
        raise CheckError(f"measure_{study}.txt: nothing matches {pattern}")
    return found
