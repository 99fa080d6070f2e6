# SPDX-License-Identifier: Apache-2.0
"""A batch size, chosen on the page: a part of test_page.py."""

import subprocess
import tomllib

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import results

COLUMNS = ("samples_per_s", "percent_of_max", "iteration_ms", "hours", "peak_bytes")
# Of each plan of the page: place, and what it has times of.
PLANS = {"given": (0, ("",)), "batches": (1, ("dense ", "tensordash "))}


class Batch:
    """Tests of a page with results.planned()."""

    def part(self, name):
        return self.driver.find_element(By.CSS_SELECTOR, f'[data-batch="{PLANS[name][0]}"]')

    def slider(self, name):
        return self.part(name).find_element(By.CSS_SELECTOR, '[type="range"]')

    def enter(self, name, text):
        """Types a batch size."""
        field = self.part(name).find_element(By.CSS_SELECTOR, '[type="number"]')
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(Keys.DELETE, text)

    def command(self, name):
        return self.part(name).find_element(By.CSS_SELECTOR, ".command").text

    def view_of(self, name, what, of):
        """Of the plan's charts: a signal, or rows."""
        return self.driver.execute_script(
            "return [...page.views].find(([one]) => one.closest(arguments[0]))[1]"
            "[arguments[1]](arguments[2])", f'[data-batch="{PLANS[name][0]}"]', what, of)

    def check_batch(self, name, size):
        """Every figure of the page is tdjob's, to the last digit; all of it is of this size."""
        said = results.plan(self.tdjob, self.found[name]["scenario"], f"plan.batch={size}")
        place, hardware = PLANS[name]
        rows = self.rows(f"#batch-table-{place} tbody tr")
        self.assertEqual(len(rows), len(hardware))
        for row, prefix in zip(rows, hardware):
            line = said[f"{prefix}batch {size}"]
            self.assertEqual([float(value) for value, _ in row["figures"]],
                             [line[column] for column in COLUMNS])
            self.assertEqual(row["figures"][0][1], f"{line['samples_per_s']:,.1f}")
            self.assertEqual(row["figures"][4][1], f"{line['peak_bytes'] / 1e9:,.2f}")
        self.assertEqual(self.slider(name).get_property("value"), str(size))
        self.assertIn(f"plan.batch={size} --write", self.command(name))
        self.assertEqual(self.view_of(name, "signal", "batch"), size)

    def test_batch_typed(self):
        for name, sizes in (("given", (1, 2, 13, 32, 61, 100, 334)), ("batches", (1, 7, 16, 20))):
            for size in sizes:
                self.enter(name, str(size))
                self.check_batch(name, size)

    def test_batch_by_keys(self):
        for name in PLANS:
            self.enter(name, "9")
            self.slider(name).send_keys(Keys.ARROW_RIGHT)
            self.check_batch(name, 10)
            self.slider(name).send_keys(Keys.HOME)
            self.check_batch(name, 1)
            self.slider(name).send_keys(Keys.END)
            most = [self.found[name][f"{one}largest_batch"] for one in PLANS[name][1]]
            self.check_batch(name, min(most))

    def test_batch_limits(self):
        for name, (_, hardware) in PLANS.items():
            offered = self.part(name).find_elements(By.CSS_SELECTOR, ".jumps button")
            document = self.found[name]
            wanted = [-(-document[f"{one}batch_at_80_percent_of_max"] // 1) for one in hardware]
            most = min(document[f"{one}largest_batch"] for one in hardware)
            wanted = [size for size in wanted if size <= most] + [most]
            self.assertEqual(len(offered), len(wanted))
            for button, size in zip(offered, wanted):
                button.send_keys(Keys.ENTER)
                self.check_batch(name, int(size))
            rates = [one["rate"] for one in self.view_of(name, "data", "lines")
                     if one["batch"] == most]
            self.assertEqual(rates, [document[f"{one}batch {most}"]["samples_per_s"]
                                     for one in hardware])

    def test_batch_refused(self):
        for name in PLANS:
            most = min(self.found[name][f"{one}largest_batch"] for one in PLANS[name][1])
            for text in ("0", "", str(most + 1), "2.5", "-3"):
                self.enter(name, text)
                said = self.part(name).find_element(By.TAG_NAME, "output").text
                self.assertEqual((said.split(",")[0], self.command(name)),
                                 (f"legal: 1 to {most}", ""))
            self.enter(name, "8")
            self.check_batch(name, 8)

    def test_batch_written(self):
        """The page's own command, as a shell takes it, changes the one value."""
        for name, size in (("given", 45), ("batches", 11)):
            scenario = self.folder / self.found[name]["scenario"]
            before = scenario.read_text()
            self.enter(name, str(size))
            program, words = self.command(name).split(" ", 1)
            self.assertEqual(program, "scripts/tdjob")
            subprocess.run(["bash", "-c", f'"$0" {words}', self.tdjob], check=True,
                           stdout=subprocess.DEVNULL, cwd=self.folder)
            old = tomllib.loads(before)["plan"]["batch"]
            after = scenario.read_text()
            self.assertEqual(tomllib.loads(after)["plan"]["batch"], size)
            self.assertEqual(after.replace(f"\nbatch = {size}", f"\nbatch = {old}"), before)
            scenario.write_text(before)
