# SPDX-License-Identifier: Apache-2.0
"""What an accelerator did, on the page: a part of test_page.py."""

import collections

from selenium.webdriver.common.by import By

import results

MODES = {"dense": "dense", "TensorDash": "tensordash"}
# As the charts name what the file has.
SHOWN = {"off_chip": "off chip", "operand_memory": "operand memories", "scratchpad": "scratchpads",
         "result_memory": "result memories", "large_memory": "large memories",
         "compute": "compute", "leakage": "leakage", "surroundings": "around tiles"}


def count(name):
    """(figure of a mode, how it is shown)"""
    return lambda one, dense: one[name], lambda value: f"{value:,}"


def energy(name):
    """The same of an energy, in nJ."""
    return lambda one, dense: one[name], lambda value: f"{value / 1000:,.1f}"


def gain(name):
    """The same of what is gained over the dense run."""
    return lambda one, dense: dense[name] / one[name], lambda value: f"{value:.2f}"


def used(one, dense):
    """Of two tiles."""
    return sum(one["tiles_steps"]) / (2 * one["first_to_last_step_clocks"])


class Accelerator:
    """Tests of a page with results.accelerated()."""

    def check_rows(self, table, columns):
        """Of the accelerator: the rows of a table are the figures of the file, sums apart."""
        document = self.found["accelerated"]
        rows = [(f"{one['snapshot']}/{one['layer']}/{one['op']}", mode, one[mode], one["dense"])
                for one in document["operations"] for mode in ("dense", "tensordash")]
        total = document["totals"]
        for selector, wanted in ((table, rows), (f"{table}-total", [
                ("total", mode, total[mode], total["dense"]) for mode in total])):
            found = self.rows(f"{selector} tbody tr")
            self.assertEqual(len(found), len(wanted))
            for row, (operation, mode, figures, dense) in zip(found, wanted):
                self.assertEqual((row["texts"][0], row["keys"]["mode"]), (operation, mode))
                for (value, text), (field, form) in zip(row["figures"], columns, strict=True):
                    expected = field(figures, dense)
                    self.assertEqual((float(value), text), (expected, form(expected)))

    def test_accelerator_clocks(self):
        names = ("stepped", "fill_wait", "other_wait", "no_compute")
        self.check_rows("#clocks-0", [count("clocks"), gain("clocks"),
                                      *(count(f"{name}_clocks") for name in names)])
        names = ("timeline_load_alone", "timeline_store_alone", "timeline_no_engine",
                 "first_to_last_step")
        self.check_rows("#alone-0", [*(count(f"{name}_clocks") for name in names),
                                     (used, lambda value: f"{100 * value:.1f}")])

    def test_accelerator_at_a_glance(self):
        dense, sparse = (self.found["accelerated"]["totals"][mode] for mode in MODES.values())
        shown = [float(one.get_attribute("value")) for one in self.driver.find_elements(
            By.CSS_SELECTOR, "#accelerator .figures data")]
        self.assertEqual(shown, [dense["clocks"] / sparse["clocks"], dense["clocks"], sparse["clocks"],
                                 sparse["stepped_clocks"] / sparse["clocks"],
                                 dense["energy_pJ"] / sparse["energy_pJ"]])

    def test_accelerator_bytes_and_energy(self):
        self.check_rows("#levels-0", [count(f"{level}_{way}_bytes") for level in results.LEVELS
                                      for way in ("read", "written")])
        self.check_rows("#spent-0", [*(energy(f"{name}_energy_pJ") for name in results.SPENT),
                                     energy("energy_pJ"), gain("energy_pJ")])

    def test_accelerator_charts(self):
        document = self.found["accelerated"]
        drawn = collections.defaultdict(dict)
        for one in self.drawn("clocks", "shown"):
            drawn[one["layer"], one["op"], one["mode"]][one["part"]] = one["clocks"]
        self.assertEqual(len(drawn), 2 * len(document["operations"]))
        for one in document["operations"]:
            for text, mode in MODES.items():
                self.assertEqual(drawn[one["layer"], one["op"], text], {
                    "steps": one[mode]["stepped_clocks"],
                    "waits for fills": one[mode]["fill_wait_clocks"],
                    "other waits": one[mode]["other_wait_clocks"],
                    "no compute": one[mode]["no_compute_clocks"]})
        shares = {(one["layer"], one["op"], one["mode"], one["part"]): one["share"]
                  for one in self.drawn("waits", "shown")}
        self.assertEqual(len(shares), 5 * len(drawn))
        for one in document["operations"]:
            for text, mode in MODES.items():
                for what, name in (("waits for fills", "fill_wait"), ("other waits", "other_wait"),
                                   ("loads", "timeline_load_alone"),
                                   ("stores alone", "timeline_store_alone"),
                                   ("descriptors alone", "timeline_no_engine")):
                    self.assertEqual(shares[one["layer"], one["op"], text, what],
                                     one[mode][f"{name}_clocks"] / one[mode]["clocks"])
        levels = {(one["mode"], one["level"], one["way"]): one["MB"]
                  for one in self.drawn("levels", "shown")}
        spent = {(one["mode"], one["part"]): one["nJ"] for one in self.drawn("spent", "shown")}
        self.assertEqual((len(levels), len(spent)), (16, 12))
        for text, mode in MODES.items():
            total = document["totals"][mode]
            for name in results.LEVELS:
                for way in ("read", "written"):
                    self.assertAlmostEqual(levels[text, SHOWN[name], way] * 1e6,
                                           total[f"{name}_{way}_bytes"], delta=0.01)
            for name in results.SPENT:
                self.assertAlmostEqual(spent[text, SHOWN[name]] * 1e3, total[f"{name}_energy_pJ"])
