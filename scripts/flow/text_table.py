# SPDX-License-Identifier: Apache-2.0
"""Tables on a terminal."""


def lines(rows):
    """Rows of texts, the first column to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    result = []
    for row in rows:
        first = row[0].ljust(widths[0])
        rest = "  ".join(text.rjust(width) for text, width in zip(row[1:], widths[1:]))
        result.append(f"{first}  {rest}".rstrip())
    return result
