# SPDX-License-Identifier: Apache-2.0
"""HTML of a page: text, figures that a program can read again, and tables."""

import dataclasses
import html


@dataclasses.dataclass(frozen=True)
class Column:
    """A column of a table. unit: below the heading; form: how Python's format() writes its numbers,
    texts where there is none; scale: factor from the value of a file to what is shown."""

    heading: str
    unit: str = ""
    form: str = ""
    scale: float = 1


def escape(text):
    """Text that may stand between tags and in attributes."""
    return html.escape(str(text))


def figure(value, form, scale=1):
    """A number as people read it, with the value as it stands in the file. None: a dash."""
    if value is None:
        return '<span class="none">–</span>'
    return f'<data value="{value!r}">{value * scale:{form}}</data>'


def cell(column, value):
    """One cell of a table; texts stand left, figures right."""
    if column.form:
        return f"<td>{figure(value, column.form, column.scale)}</td>"
    return f'<td class="text">{escape(value)}</td>'


def headline(shown, keys=None):
    """Figures in large: [(what, unit, form, scale, value)]."""
    listed = "".join(f"<div><dt>{escape(what)}</dt><dd>{figure(value, form, scale)}"
                     f"<small>{escape(unit)}</small></dd></div>"
                     for what, unit, form, scale, value in shown)
    return f'<dl class="figures"{_attributes(keys or {})}>{listed}</dl>'


def _attributes(keys):
    return "".join(f' data-{name}="{escape(value)}"' for name, value in keys.items())


def table(caption, columns, rows, name=""):
    """rows: [(keys, values)]; keys name what a row is about, by which choosers find it."""
    heads = "".join(f'<th scope="col"{"" if one.form else " class=text"}>{escape(one.heading)}'
                    f'<small>{escape(one.unit) or "&nbsp;"}</small></th>' for one in columns)
    body = "\n".join(f"<tr{_attributes(keys)}>"
                     + "".join(cell(column, value) for column, value in zip(columns, values))
                     + "</tr>" for keys, values in rows)
    known = f' id="{escape(name)}"' if name else ""
    return (f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}">'
            f"<table{known}><caption>{escape(caption)}</caption>"
            f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>")


def folded(summary, content):
    """What is there for those who ask, and on paper."""
    return f"<details><summary>{escape(summary)}</summary>\n{content}\n</details>"


def chart(name, label, keys=None):
    """Where a chart of web/charts/NAME.vg.json is drawn. keys: of a figure that belongs to one
    result."""
    return (f'<figure class="chart" data-chart="{name}"{_attributes(keys or {})}>'
            f'<div class="canvas" role="img" aria-label="{escape(label)}"></div>'
            f"<figcaption>{escape(label)}</figcaption></figure>")


def chooser(name, label, options):
    """A list of which one is chosen: [(value, text)]."""
    listed = "".join(f'<option value="{escape(value)}">{escape(text)}</option>'
                     for value, text in options)
    return f'<label>{escape(label)} <select data-choose="{name}">{listed}</select></label>'


def section(identity, title, content, lead=""):
    """A part of the page with its heading."""
    led = f'<p class="lead">{lead}</p>\n' if lead else ""
    return (f'<section id="{identity}" aria-labelledby="{identity}-title">\n'
            f'<h2 id="{identity}-title">{escape(title)}</h2>\n{led}{content}\n</section>')


@dataclasses.dataclass(frozen=True)
class Part:
    """What a section adds to a page. data: table -> rows, from which charts and controls take
    their values."""

    html: str
    data: dict = dataclasses.field(default_factory=dict)
