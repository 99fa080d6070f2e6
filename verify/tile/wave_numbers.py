#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""GTKWave's filter for outputs: hexadecimal values come in, the numbers that they stand for go out.
Eight digits are binary32, four are bfloat16, its upper half."""

import struct
import sys


def number(digits):
    """What to show for a value; one that is not known, such as xxxx, stays."""
    try:
        return f"{struct.unpack('>f', bytes.fromhex(digits.ljust(8, '0')))[0]:.7g}"
    except (ValueError, struct.error):
        return digits


if __name__ == "__main__":
    for line in sys.stdin:
        print(number(line.strip()), flush=True)
