# SPDX-License-Identifier: Apache-2.0
"""The page as one text: sections, their tables as JSON, charts, style and script."""

import json
import pathlib
import re

from toolbox.errors import UserError

from . import inputs
from .markup import escape
from .sections import (accelerator, area, batch, comparison, energy, evidence, job, lanes, losses, memory,
                       overview, pareto, pattern, regressions, speedup, training, whatif)

SECTIONS = (overview, comparison, speedup, losses, training, whatif, memory, energy, lanes, pattern,
            accelerator, batch, job, pareto, area, regressions, evidence)
WEB = pathlib.Path(__file__).parent / "web"
VEGA = pathlib.Path("/usr/share/javascript/vega")
LICENCE = pathlib.Path("/usr/share/doc/libjs-vega/copyright")
# Of Debian's parts of Vega those that these charts need, each behind what it uses.
PARTS = ("util", "time", "format", "loader", "dataflow", "canvas", "scale", "statistics",
         "scenegraph", "expression", "selection", "functions", "event-selector", "runtime", "parser",
         "view", "transforms", "encode", "view-transforms")


def parts(sources):
    """What each section makes of the sources."""
    made = []
    for one in SECTIONS:
        try:
            found = one.part(sources)
        except inputs.MALFORMED as error:
            raise inputs.missing(_guilty(one, sources), error) from error
        if found:
            made.append(found)
    return made


def _guilty(one, sources):
    """The file that a section cannot be made from: the first with which it alone fails."""
    for source in sources:
        try:
            one.part([source, source])  # some sections begin at two
        except inputs.MALFORMED:
            return source.path
    return sources[0].path


def _script(text):
    """A script, whose text must not end it."""
    inside = re.sub(r"</(?=script)", r"<\\/", text, flags=re.I)
    return f"<script>\n{inside}</script>"


def _json(name, value):
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    inside = text.replace("<", "\\u003c")  # nothing in it ends the element
    return f'<script type="application/json" id="{name}">{inside}</script>'


def _read(path):
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(path, "file", error.strerror,
                        "Debian's package libjs-vega: run scripts/setup report") from error


def _library():
    """Vega's parts as modules, behind a loader of a few lines; their licences as they came."""
    notice = (_read(WEB / "notices.txt") + "\n" + _read(LICENCE)).replace("*/", "* /")
    modules = []
    for part in PARTS:
        text = re.sub(r"(?m)^//# sourceMappingURL=.*$", "", _read(VEGA / f"vega-{part}.min.js"))
        modules.append(f"define.named = 'vega-{part}';\n{text}")
    return [f"/*\n{notice}*/\n{_read(WEB / 'modules.js')}", "\n".join(modules)]


def _charts(html):
    """Specifications of the charts that the page has."""
    used = sorted(set(re.findall(r'data-chart="([a-z]+)"', html)))
    return {name: json.loads(_read(WEB / "charts" / f"{name}.vg.json")) for name in used}


def _contents(html):
    heads = re.findall(r'<h2 id="([a-z]+)-title">(.*?)</h2>', html)
    return ('<nav aria-label="Contents"><ol>'
            + "".join(f'<li><a href="#{name}">{text}</a></li>' for name, text in heads)
            + "</ol></nav>")


def text(sources):
    """The page."""
    made = parts(sources)
    body = "\n".join(one.html for one in made)
    data = {name: rows for one in made for name, rows in one.data.items()}
    title = "TensorDash: " + (sources[0].label if len(sources) == 1 else f"{len(sources)} results")
    charts = _charts(body)
    scripts = [_json("values", data), _json("charts", charts)]
    files = [*(_library() if charts else ()),
             *(_read(WEB / f"{name}.js") for name in ("drawing", "batch", "controls"))]
    scripts += map(_script, files)
    return "\n".join((
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">', '<link rel="icon" href="data:,">',
        f"<title>{escape(title)}</title>", f"<style>\n{_read(WEB / 'page.css')}</style>",
        "</head>\n<body>", f"<header><h1>{escape(title)}</h1>{_contents(body)}</header>",
        f"<main>\n{body}\n</main>",
        "<footer><p>Charts are drawn by Vega (BSD-3-Clause; its notice stands in this file). "
        "Everything on this page is in this file.</p></footer>", *scripts, "</body>\n</html>\n"))
