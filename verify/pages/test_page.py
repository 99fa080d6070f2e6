#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The page of scripts/report in a headless Chromium: figures are those of the files, and each control
changes what it should.

usage: test_page.py TDSIM TDJOB [TEST…]
"""

import json
import pathlib
import sys
import tempfile
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

sys.dont_write_bytecode = True

import browser  # noqa: E402
import results  # noqa: E402
from page_accelerator import Accelerator  # noqa: E402
from page_batch import Batch  # noqa: E402
from page_exploration import Exploration  # noqa: E402
from page_job import Jobs  # noqa: E402
from page_layout import Layout  # noqa: E402

TDSIM, TDJOB = None, None
PAPER, WIDE, MINE = "plain, paper_bf16", "plain, wide4_bf16", "mine, paper_bf16"
ALONE = "plain, pe_two_sided"
# Of each column of figures of the table of operations: its value in the file, and how it is shown.
OPERATION = (
    (lambda one: one["side_b_tensor_zeros_ratio"], lambda value: f"{100 * value:.1f}"),
    (lambda one: one["dense_cycles"], lambda value: f"{value:,}"),
    (lambda one: one["cycles"], lambda value: f"{value:,}"),
    (lambda one: one["data_speedup_ratio"], lambda value: f"{value:.2f}"),
    (lambda one: one["filled_in_speedup_ratio"], lambda value: f"{value:.2f}"),
    (lambda one: one["total_speedup_ratio"], lambda value: f"{value:.2f}"),
    (lambda one: one["dense_cycles"] / one["ideal_cycles"], lambda value: f"{value:.2f}"),
    (lambda one: one["utilisation_ratio"], lambda value: f"{100 * value:.1f}"))
ROWS = """return [...document.querySelectorAll(arguments[0])].map((row) => ({
  shown: !row.hidden, keys: {...row.dataset}, texts: [...row.cells].map((one) => one.textContent),
  figures: [...row.querySelectorAll("data")].map((one) => [one.value, one.textContent])}))"""
DRAWN = """return [...page.views].filter(([figure]) => figure.dataset.chart === arguments[0])
  .map(([, view]) => view.data(arguments[1]))[0]"""


class Page(Accelerator, Batch, Exploration, Jobs, Layout, unittest.TestCase):
    """One page with a result of every kind, in one browser."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.tdjob = str(pathlib.Path(TDJOB).resolve())
        cls.files = results.every(TDSIM, TDJOB, cls.folder)
        cls.found = {name: json.loads(path.read_text()) for name, path in cls.files.items()}
        cls.page = cls.folder / "page.html"
        status, errors = results.run_page(*cls.files.values(), "--out", cls.page)
        if status:
            raise AssertionError(errors)
        cls.driver = browser.start()
        cls.addClassCleanup(cls.driver.quit)
        cls.milliseconds = browser.load(cls.driver, cls.page)

    def setUp(self):
        self.addCleanup(lambda: self.assertEqual(browser.complaints(self.driver), []))
        for name, value in (("result", PAPER), ("snapshot", "late"), ("layer", ""), ("op", "")):
            self.choose(name, value)

    def choose(self, name, value, within="#choosers"):
        one = self.driver.find_element(By.CSS_SELECTOR, f'{within} [data-choose="{name}"]')
        if one.get_property("value") != value:
            Select(one).select_by_value(value)

    def rows(self, selector):
        return self.driver.execute_script(ROWS, selector)

    def drawn(self, chart, table):
        return self.driver.execute_script(DRAWN, chart, table)

    def text(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector).text

    def expected(self, name, **keys):
        """Operations of a result that have these members."""
        return [one for one in self.found[name]["operations"]
                if all(one[key] == value for key, value in keys.items())]

    # ---- Figures ----

    def test_every_operation(self):
        rows = self.rows("#operations tbody tr")
        listed = [one for name in ("paper", "wide", "alone", "half", "few", "captured")
                  for one in self.found[name]["operations"]]
        self.assertEqual(len(rows), len(listed))
        for row, one in zip(rows, listed):
            self.assertEqual((row["keys"]["layer"], row["keys"]["op"]), (one["layer"], one["op"]))
            for (value, text), (field, form) in zip(row["figures"], OPERATION, strict=True):
                self.assertEqual((float(value), text), (field(one), form(field(one))))

    def total(self, name, snapshot, op=""):
        """Sums of a result: of all snapshots, or of all operations, where '' is chosen."""
        totals = self.found[name]["totals"]
        if not snapshot and not op:
            return totals["all"]
        kind = "_".join(word for word, given in (("snapshot", snapshot), ("op", op)) if given)
        (found,) = [one for one in totals[f"by_{kind}"]
                    if one.get("snapshot", "") == snapshot and one.get("op", "") == op]
        return found

    def glance(self):
        """Values of the large figures that are shown."""
        return [float(one.get_attribute("value")) for one in self.driver.find_elements(
            By.CSS_SELECTOR, ".glance:not([hidden]) .figures:not([hidden]) data")]

    def test_at_a_glance(self):
        for snapshot in ("", "early", "late"):
            self.choose("snapshot", snapshot)
            total = self.total("paper", snapshot)
            self.assertEqual(self.glance(), [total[name] for name in (
                "data_speedup_ratio", "filled_in_speedup_ratio", "total_speedup_ratio",
                "utilisation_ratio", "total_memory_speedup_ratio", "total_system_efficiency_ratio")])

    def test_partial(self):
        """A page says of what share of the step it is, and what is missing."""
        self.choose("result", MINE)
        self.assertIn("after 20 clocks. mine. All layers", self.text(".glance:not([hidden]) > p"))
        shown = '.glance:not([hidden]) .coverage:not([hidden])'
        self.assertEqual(self.text(shown),
                         "The source holds 100.0 % of the step’s multiply-accumulates (late).")
        self.choose("snapshot", "early")
        lines = self.text(shown).split("\n")
        self.assertEqual(lines[0], "The source holds at most 29.1 % of the step’s multiply-accumulates "
                         "(early), without:")
        self.assertEqual(lines[1:3], ["own (cdist): ?", "part7 (mv, 7.2 %): a vector"])
        self.assertEqual((len(lines), lines[-1]), (10, "and 1 more, in the file"))
        held = {tuple(row["texts"][:3]) for row in self.rows("#comparison-table tbody tr")
                if row["texts"][0] == MINE}
        most = "at\u00a0most\u00a029.1\u00a0%"
        self.assertEqual(held, {(MINE, "all", most), (MINE, "early", most),
                                (MINE, "late", "100.0\u00a0%")})

    def test_comparison(self):
        labels = {"paper": PAPER, "wide": WIDE, "alone": ALONE, "half": "alexnet (half), paper_bf16"}
        for snapshot in ("", "early"):
            self.choose("snapshot", snapshot)
            drawn = {one["label"]: one["total"] for one in self.drawn("comparison", "shown")}
            self.assertEqual(len(drawn), 6)
            for name, label in labels.items():
                own = snapshot if name != "half" else ""
                self.assertEqual(drawn[label], self.total(name, own)["total_speedup_ratio"])
        cells = {row["texts"][0]: row["texts"][-4:] for row in self.rows("#comparison-table tbody tr")
                 if row["texts"][1] == "all"}
        self.assertEqual(cells[ALONE], 4 * ["–"])
        total = self.total("paper", "")
        self.assertEqual(cells[PAPER], [
            f"{total['memory_cycles']:,}", f"{total['total_memory_speedup_ratio']:.3f}",
            f"{total['energy_pJ'] / 1e6:,.2f}", f"{total['total_system_efficiency_ratio']:.3f}"])

    def test_lost_cycles(self):
        (row,) = [one for one in self.rows("#losses-total tbody tr")
                  if one["shown"] and one["texts"][:2] == ["late", "all"]]
        total = self.total("paper", "late")
        counts = [value for name, value in total.items() if name.endswith("_multiplier_cycles")]
        self.assertEqual([text for _, text in row["figures"]],
                         [f"{100 * count / sum(counts):.1f}" for count in counts])

    def test_energy_adds_up(self):
        for row in self.rows("#energy-table tbody tr"):
            values = [float(value) for value, _ in row["figures"]]
            self.assertAlmostEqual(sum(values[:-1]), values[-1], delta=1e-6 * values[-1])
        row = [one for one in self.rows("#energy-table tbody tr") if one["shown"]][-1]
        self.assertEqual(float(row["figures"][-1][0]), self.total("paper", "late")["energy_pJ"])

    def test_memory(self):
        """Clocks beside their bound: of each operation as bars, of all layers as a table."""
        listed = self.expected("paper", snapshot="late")
        drawn = self.drawn("memory", "shown")
        self.assertEqual(len(drawn), 4 * len(listed))
        bars = {}
        for one in drawn:
            bars.setdefault((one["layer"], one["op"], one["hardware"]), {})[one["part"]] = one["clocks"]
        for one in listed:
            for name, prefix in (("dense", "dense_"), ("TensorDash", "")):
                bound, steps, clocks = (one[f"{prefix}{field}"] for field in (
                    "bound_cycles", "slowest_tile_steps", "memory_cycles"))
                by = "tiles" if bound == steps else "bus"
                self.assertEqual(bars[one["layer"], one["op"], name],
                                 {f"bound: {by}": bound, "beyond the bound": clocks - bound})
        self.assertEqual({one["part"] for one in drawn},
                         {"bound: tiles", "bound: bus", "beyond the bound"})
        row = [one for one in self.rows("#memory-total tbody tr") if one["shown"]][-1]
        total = self.total("paper", "late")
        self.assertEqual(row["texts"][:3], ["late", "all", "TensorDash"])
        self.assertEqual([float(value) for value, _ in row["figures"]], [total[name] for name in (
            "memory_cycles", "total_memory_speedup_ratio", "bound_cycles", "over_bound_ratio",
            "slowest_tile_steps", "bus_read_cycles", "bus_written_cycles")])

    def test_compute_alone(self):
        """Sections that a result has nothing for are a sentence; of the next result they are back."""
        for snapshot in ("late", ""):  # charts are drawn for what is chosen when they are back
            self.choose("result", ALONE)
            for section in ("memory", "energy"):
                shown = [one.text for one in self.driver.find_elements(
                    By.CSS_SELECTOR, f"#{section} p, #{section} figure, #{section} table")
                    if one.is_displayed()]
                self.assertEqual(len(shown), 1, shown)
                self.assertIn("of compute alone", shown[0])
            self.choose("snapshot", snapshot)
            total = self.total("alone", snapshot)
            self.assertEqual(self.glance(), [total[name] for name in (
                "data_speedup_ratio", "filled_in_speedup_ratio", "total_speedup_ratio",
                "utilisation_ratio")])
            self.assertNotIn("–", self.text(".glance:not([hidden]) .figures:not([hidden])"))
            self.choose("result", WIDE)
            self.assertAlmostEqual(sum(one["uJ"] for one in self.drawn("energy", "shown")
                                       if one["hardware"] == "TensorDash"),
                                   self.total("wide", snapshot)["energy_pJ"] / 1e6)
            self.assertGreater(self.driver.find_element(
                By.CSS_SELECTOR, "#memory svg").size["width"], 300)
            self.assertNotIn("of compute alone", self.text("#memory"))

    def test_over_training(self):
        row = [one for one in self.rows("#moments tbody tr")
               if one["shown"] and one["texts"][:2] == ["all", "late"]][0]
        late = self.expected("paper", snapshot="late", op="fwd")
        share = (sum(one["first_tensor_zeros"] for one in late)
                 / sum(one["first_tensor_elements"] for one in late))
        total = [one for one in self.found["paper"]["totals"]["by_snapshot"]
                 if one["snapshot"] == "late"][0]
        self.assertEqual(row["figures"][0][1], f"{100 * share:.1f}")
        self.assertEqual(float(row["figures"][3][0]), total["data_speedup_ratio"])

    def test_charts_have_the_figures(self):
        drawn = {(one["layer"], one["op"]): one for one in self.drawn("speedup", "shown")}
        listed = self.expected("paper", snapshot="late")
        self.assertEqual(len(drawn), len(listed))
        for one in listed:
            found = drawn[one["layer"], one["op"]]
            self.assertEqual((found["data"], found["total"], found["ideal"]),
                             (one["data_speedup_ratio"], one["total_speedup_ratio"],
                              one["dense_cycles"] / one["ideal_cycles"]))
        blocks = self.drawn("area", "areas")
        self.assertAlmostEqual(sum(one["value"] for one in blocks if one["tile"] == "TensorDash"), 55)
        self.assertEqual(len({one["block"] for one in blocks}), 8)
        for chart in self.driver.find_elements(By.CSS_SELECTOR, "figure.chart .canvas"):
            self.assertGreater(chart.size["height"], 60)
            self.assertTrue(chart.find_elements(By.CSS_SELECTOR, "svg, canvas"))

    def test_other_kinds(self):
        self.assertIn("cycle 5: lane 2", self.text("#regressions"))
        self.assertIn("failed: 4 of 5", self.text("#evidence"))
        area = [row for row in self.rows("#area tbody tr") if row["texts"][0] == "TensorDash: tiny"]
        self.assertEqual(area[0]["texts"][1:], ["55.000", "1.964", "55.0", "1.250", "1.50", "1.75",
                                                "1.40"])
        self.assertEqual(len(self.driver.find_elements(By.CSS_SELECTOR, "#pattern svg")), 2)

    def test_needs_nothing_else(self):
        named = self.driver.execute_script(
            "return [...document.querySelectorAll('[src], [href]')].map((one) => "
            "one.getAttribute('src') ?? one.getAttribute('href'))")
        self.assertEqual([one for one in named if not one.startswith(("#", "data:,"))], [])
        style = self.driver.execute_script("return document.querySelector('style').textContent")
        charts = self.driver.execute_script("return document.getElementById('charts').textContent")
        for text, words in ((style, ("url(", "@import")), (charts, ('"url"', "http"))):
            self.assertGreater(len(text), 1000)
            self.assertEqual([word for word in words if word in text], [])
        self.assertIn("Redistribution and use in source and binary forms", self.page.read_text())

    # ---- Controls ----

    def visible(self, selector="#operations tbody tr"):
        return [row["keys"] for row in self.rows(selector) if row["shown"]]

    def test_snapshot(self):
        before = self.drawn("speedup", "shown")
        self.choose("snapshot", "early")
        self.assertEqual({keys["snapshot"] for keys in self.visible()}, {"early"})
        after = self.drawn("speedup", "shown")
        self.assertEqual({one["snapshot"] for one in after}, {"early"})
        self.assertNotEqual([one["total"] for one in before], [one["total"] for one in after])
        self.assertEqual({one["snapshot"] for one in self.drawn("memory", "shown")}, {"early"})
        self.choose("snapshot", "")
        self.assertEqual([one["row"] for one in self.drawn("speedup", "shown") if one["op"] == "fwd"],
                         [f"{one['snapshot']}/{one['layer']}" for one in self.expected("paper", op="fwd")])

    def test_layer(self):
        self.choose("layer", "conv5")
        self.assertEqual([(keys["layer"], keys["snapshot"]) for keys in self.visible()],
                         3 * [("conv5", "late")])
        for chart in ("speedup", "losses", "memory"):
            self.assertEqual({one["layer"] for one in self.drawn(chart, "shown")}, {"conv5"}, chart)
        total = [one for one in self.found["paper"]["totals"]["by_layer"]
                 if one["layer"] == "conv5" and one["snapshot"] == "early"][0]
        self.assertEqual([one["value"] for one in self.drawn("training", "speedups")
                          if one["snapshot"] == "early" and one["series"] == "total"],
                         [total["total_speedup_ratio"]])

    def test_operation(self):
        self.choose("op", "wgrad")
        self.assertEqual({keys["op"] for keys in self.visible()}, {"wgrad"})
        self.assertEqual({one["op"] for one in self.drawn("speedup", "shown")}, {"wgrad"})
        total = self.total("paper", "late", "wgrad")
        self.assertAlmostEqual(sum(one["uJ"] for one in self.drawn("energy", "shown")
                                   if one["hardware"] == "TensorDash"), total["energy_pJ"] / 1e6)
        self.assertEqual([row["texts"][:2] for row in self.rows("#energy-table tbody tr")
                          if row["shown"]], 3 * [["late", "wgrad"]])
        self.choose("snapshot", "")
        total = self.total("paper", "", "wgrad")
        self.assertAlmostEqual(sum(one["uJ"] for one in self.drawn("energy", "shown")
                                   if one["hardware"] == "TensorDash"), total["energy_pJ"] / 1e6)

    def test_result(self):
        self.choose("result", WIDE)
        self.assertEqual(self.glance()[0], self.total("wide", "late")["data_speedup_ratio"])
        self.assertEqual({keys["result"] for keys in self.visible()}, {WIDE})
        self.choose("result", "alexnet (half), paper_bf16")
        layers = Select(self.driver.find_element(By.CSS_SELECTOR, '[data-choose="layer"]'))
        self.assertEqual([one.text for one in layers.options],
                         ["all", *dict.fromkeys(one["layer"] for one in self.expected("half"))])
        self.assertEqual(len(self.visible()), len(self.expected("half")))

    def test_slider(self):
        slider = self.driver.find_element(By.CSS_SELECTOR, '.whatif input[type="range"]')
        slider.send_keys(Keys.HOME)
        for name, key in (("few", Keys.HOME), ("half", Keys.ARROW_RIGHT), ("few", Keys.ARROW_LEFT)):
            slider.send_keys(key)
            total = self.found[name]["totals"]["all"]
            said = self.text(".whatif output")
            self.assertIn(f"cycles {total['cycles']:,} ", said)
            self.assertIn(f"data {total['data_speedup_ratio']:.2f} ×", said)
            (row,) = [one for one in self.drawn("whatif", "whatif")
                      if one["data"] == total["data_speedup_ratio"]]
            self.assertEqual(self.driver.execute_script(
                "return [...page.views.values()].map((one) => one.getState({data: () => false, "
                "signals: (name) => name === 'steps'}).signals.steps).find(Boolean)"),
                {row["whatif"]: row["step"]})

    def test_lanes(self):
        passes = self.found["passes"]["passes"]
        for at in (0, len(passes) - 1):
            self.choose("pass", str(at), ".lanes")
            cells = self.drawn("lanes", "cells")
            for step in range(passes[at]["cycles"]):
                texts = ["".join("." if one["ahead"] < 0 else str(one["ahead"]) for one in cells
                                 if (one["step"], one["row"]) == (step, row)) for row in range(4)]
                self.assertEqual(texts, passes[at]["steps"][step]["lanes"])

    def test_keyboard(self):
        self.driver.execute_script("document.querySelector('nav a').focus()")
        seen = []
        for _ in range(25):
            ActionChains(self.driver).send_keys(Keys.TAB).perform()
            seen.append(self.driver.execute_script(
                "return document.activeElement.dataset.choose || document.activeElement.tagName"))
        self.assertLessEqual({"result", "snapshot", "layer", "op", "SUMMARY", "DIV"}, set(seen))

    def scheme(self, value):
        """Asks for light or dark colours, and waits for the charts to have others."""
        before = self.colours()[1]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": value}]})
        WebDriverWait(self.driver, 60).until(lambda _: self.colours()[1] != before, "no new colours")

    def colours(self):
        return self.driver.execute_script(
            "return [getComputedStyle(document.body).backgroundColor, "
            "document.querySelector('#speedup svg text').getAttribute('fill')]")

    def test_dark(self):
        light = self.colours()
        self.scheme("dark")
        self.addCleanup(self.scheme, "light")
        dark = self.colours()
        for before, after in zip(light, dark):
            self.assertNotEqual(before, after)
        self.driver.execute_script("window.dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(self.colours(), light)
        self.assertFalse(self.driver.find_elements(By.CSS_SELECTOR, "details:not([open])"))
        self.driver.execute_script("window.dispatchEvent(new Event('afterprint'))")
        self.assertEqual(self.colours(), dark)
        self.assertTrue(self.driver.find_elements(By.CSS_SELECTOR, "details:not([open])"))


if __name__ == "__main__":
    TDSIM, TDJOB = sys.argv.pop(1), sys.argv.pop(1)
    unittest.main()
