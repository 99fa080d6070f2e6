# SPDX-License-Identifier: Apache-2.0
"""What an exploration found, on the page: a part of test_page.py."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import results


def gains_of(network):
    """What a point of an exploration gains on it, in the order of the columns; what is not there
    has none."""
    found = [network["found"][f"{name}_ratio"] for name in ("total", "data", "memory")]
    left_out = network["left_out"]
    gains = [*found, left_out and left_out["total_ratio"],
             *(one["total_ratio"] for one in network["named"].values())]
    return [one for one in gains if one is not None]


class Exploration:
    """Tests of a page with results.explored()."""

    def same(self, found, wanted):
        """Of long lists: the first difference, where unittest would compare all with all."""
        self.assertEqual(len(found), len(wanted))
        self.assertIsNone(next((pair for pair in zip(found, wanted) if pair[0] != pair[1]), None))

    def test_points(self):
        document = self.found["explored"]
        points = self.drawn("pareto", "points")
        self.assertEqual(len(points), results.POINTS)
        self.same([(one["x"], one["y"]) for one in points],
                  [(one["objectives"]["area"], one["objectives"]["speed-up"])
                   for one in document["points"]])
        front = [one["name"] for one in document["points"] if one["on_front"]]
        self.assertGreater(len(front), 5)
        self.assertEqual([one["name"] for one in self.drawn("pareto", "front")], front)
        self.assertEqual([row["texts"][0] for row in self.rows("#front-0 tbody tr")], front)
        self.choose("x", "energy", ".explore")
        self.same([one["x"] for one in self.drawn("pareto", "points")],
                  [one["objectives"]["energy"] for one in document["points"]])
        self.choose("x", "area", ".explore")

    def opened(self, name):
        self.assertEqual(self.text(".opened h4"), name)
        self.assertEqual(self.driver.find_element(By.CSS_SELECTOR, ".opened pre")
                         .get_attribute("textContent"),
                         (self.folder / f"points/{name}.toml").read_text())
        (point,) = [one for one in self.found["explored"]["points"] if one["name"] == name]
        rows = self.rows(".opened tbody tr")
        self.assertEqual([row["texts"][:2] for row in rows],
                         [[one["name"], one["use"]] for one in point["networks"]])
        for row, one in zip(rows, point["networks"]):
            self.assertEqual([float(value) for value, _ in row["figures"]], gains_of(one))

    def test_points_gain(self):
        front = [one for one in self.found["explored"]["points"] if one["on_front"]]
        rows = self.rows("#gains-0 tbody tr")
        self.assertEqual([(row["texts"][:3], [(float(value), text) for value, text in row["figures"]])
                          for row in rows],
                         [([point["name"], one["name"], one["use"]],
                           [(value, f"{value:.3f}") for value in gains_of(one)])
                          for point in front for one in point["networks"]])

    def test_points_open(self):
        self.driver.execute_script(
            "for (const one of document.querySelectorAll('.explore details')) one.open = true")
        button = self.driver.find_elements(By.CSS_SELECTOR, ".explore td button")[-1]
        button.send_keys(Keys.ENTER)
        self.opened(button.text)
        canvas = self.driver.find_element(By.CSS_SELECTOR, ".explore canvas")
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", canvas)
        name, x, y = self.driver.execute_script("""
            const view = [...page.views].find(([one]) => one.dataset.chart === "pareto")[1];
            const [left, top] = view.origin(), front = view.data("front").map((one) => (
              [one.name, view.scale("x")(one.x) + left, view.scale("y")(one.y) + top]));
            const room = (one) => Math.min(...front.filter((other) => other !== one).map(
              (other) => Math.hypot(other[1] - one[1], other[2] - one[2])));
            return front.slice(1).sort((a, b) => room(b) - room(a))[0];""")  # not the first point
        box = canvas.size
        ActionChains(self.driver).move_to_element_with_offset(
            canvas, round(x - box["width"] / 2), round(y - box["height"] / 2)).click().perform()
        self.opened(name)
