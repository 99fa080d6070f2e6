# SPDX-License-Identifier: Apache-2.0
"""Tables on a terminal."""


def lines(rows, left=1):
    """Rows of texts, the first `left` columns to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    result = []
    for row in rows:
        texts = [text.ljust(width) if column < left else text.rjust(width)
                 for column, (text, width) in enumerate(zip(row, widths))]
        result.append("  ".join(texts).rstrip())
    return result
