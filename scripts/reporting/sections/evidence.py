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


def _ordered(known, found):
    """What was found: in the known order, then the rest."""
    return [*(one for one in known if one in found), *dict.fromkeys(
        one for one in found if one not in known)]


def part(sources):
    """A matrix of blocks and kinds of evidence."""
    found = inputs.of(sources, "evidence")
    if not found:
        return None
    cells = {}
    for source in found:
        for cell in source.document["cells"]:
            cells.setdefault((cell["block"], cell["column"]), []).append(cell)
    blocks = _ordered(evidence.BLOCKS, [block for block, _ in cells])
    columns = _ordered(evidence.COLUMNS, [column for _, column in cells])
    heads = "".join(f'<th scope="col" class="text">{escape(name)}</th>' for name in columns)
    body = "\n".join(f'<tr><th scope="row">{escape(block)}</th>'
                     + "".join(_cell(cells.get((block, column))) for column in columns)
                     + "</tr>" for block in blocks)
    said = ", ".join(source.document["command"] for source in found)
    content = ('<div class="scroll" tabindex="0" role="region" aria-label="Evidence"><table '
               f'id="evidence-table"><caption>Printed by: {escape(said)}</caption><thead><tr>'
               f'<th scope="col" class="text">block</th>{heads}</tr></thead><tbody>{body}'
               "</tbody></table></div>")
    return Part(section("evidence", "What speaks for each block", content))
