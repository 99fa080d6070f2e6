# SPDX-License-Identifier: Apache-2.0
"""What speaks for the RTL and the model: what was counted for each block, by kind of evidence."""

from toolbox import evidence

from .. import inputs
from ..markup import Part, escape, section


def _cell(found):
    if not found:
        return '<td class="text"><span class="none">–</span></td>'
    said = "; ".join(("" if cell["passed"] else "failed: ") + cell["text"] for cell in found)
    state = "passed" if all(cell["passed"] for cell in found) else "failed"
    return f'<td class="text {state}">{escape(said)}</td>'


def part(sources):
    """A matrix of blocks and kinds of evidence."""
    found = inputs.of(sources, "evidence")
    if not found:
        return None
    cells = {}
    for source in found:
        for cell in source.document["cells"]:
            cells.setdefault((cell["block"], cell["column"]), []).append(cell)
    blocks = [block for block in evidence.BLOCKS if any(key[0] == block for key in cells)]
    heads = "".join(f'<th scope="col" class="text">{name}</th>' for name in evidence.COLUMNS)
    body = "\n".join(f'<tr><th scope="row">{block}</th>'
                     + "".join(_cell(cells.get((block, column))) for column in evidence.COLUMNS)
                     + "</tr>" for block in blocks)
    said = ", ".join(source.document["command"] for source in found)
    content = ('<div class="scroll" tabindex="0" role="region" aria-label="Evidence"><table '
               f'id="evidence-table"><caption>Printed by: {escape(said)}</caption><thead><tr>'
               f'<th scope="col" class="text">block</th>{heads}</tr></thead><tbody>{body}'
               "</tbody></table></div>")
    return Part(section("evidence", "What speaks for each block", content))
