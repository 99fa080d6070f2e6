# SPDX-License-Identifier: Apache-2.0
"""Injected faults as text: one alone, or all of a file with a choice while simulation runs."""

from .operators import Change

VARIABLE = "TD_MUTANT"  # the environment's: the number of the fault in force; 0 or absent: none
PACKAGE = "td_mutants"

# In C++: asked once. Functions that Verilator calls, not copies, see no variables outside.
_ASK = (f'[] {{ static const char* const text = std::getenv(\\"{VARIABLE}\\"); '
        "static const int number = text ? std::atoi(text) : 0; return number; }()")
PACKAGE_TEXT = f"""// The number of the fault in force, from the environment.
/* verilator lint_off WIDTH */
/* verilator lint_off UNUSED */
package {PACKAGE};
  function automatic [31:0] chosen;
    input unused;
    chosen = $c32("{_ASK}");
  endfunction
  reg [31:0] number = chosen(1'b0);
endpackage
"""

# What a fault leaves unused or of another width must not stop the build.
PERMISSIONS = "".join(f"/* verilator lint_off {name} */ "
                      for name in ("UNUSED", "WIDTH", "UNOPTFLAT", "CMPCONST", "UNSIGNED",
                                   "SELRANGE"))


def applied(text, changes):
    """The text with some changes made."""
    for change in sorted(changes, key=lambda one: -one.start):
        text = text[:change.start] + change.text + text[change.end:]
    return text


def moved(change, offset):
    """The same change in a text that begins there."""
    return Change(change.operator, change.start - offset, change.end - offset, change.text)


def _wrapped(region, original, numbered, text):
    """A region that chooses between itself, `text` with inner choices made already, and faults."""
    for number, change in numbered:
        faulty = applied(original, [moved(change, region.start)])
        asked = f"{PACKAGE}::chosen(1'b0)" if region.function else f"{PACKAGE}::number"
        if region.role == "reset":
            text = f"begin if ({asked} == 32'd{number}) {faulty} else {text} end"
        else:
            text = f"(({asked} == 32'd{number}) ? ({faulty}) : ({text}))"
    return text


def schemata(text, injected):
    """All faults in one text. injected: (number, region, change)."""
    groups = {}
    for number, region, change in injected:
        groups.setdefault((region.start, -region.end), (region, []))[1].append((number, change))
    ordered = [groups[key] for key in sorted(groups)]  # an outer region before what is in it

    def build(start, end, at):
        result = []
        while at < len(ordered) and ordered[at][0].start < end:
            region, numbered = ordered[at]
            inner, after = build(region.start, region.end, at + 1)
            result += [text[start:region.start],
                       _wrapped(region, text[region.start:region.end], numbered, inner)]
            start, at = region.end, after
        return "".join([*result, text[start:end]]), at

    return build(0, len(text), 0)[0]
