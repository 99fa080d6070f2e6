# SPDX-License-Identifier: Apache-2.0
"""What a reader sees at three widths: nothing is cut off, no text lies on another: a part of
test_page.py."""

from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

NARROW, USUAL, WIDE = 520, 1280, 1920
# Charts that are drawn for the width, as [name, complaint].
FAULTS = """
const faults = [], room = 1;  // pixels that rounding may take
const say = (figure, text) => faults.push([figure.dataset.chart, text]);
const inside = (one, box) => one.left >= box.left - room && one.right <= box.right + room
  && one.top >= box.top - room && one.bottom <= box.bottom + room;
for (const figure of document.querySelectorAll("figure.chart")) {
  if (!figure.offsetParent) continue;
  const frame = figure.querySelector(".canvas"), drawn = frame.querySelector("svg, canvas");
  if (drawn.getBoundingClientRect().width > frame.clientWidth + room) {
    say(figure, `${drawn.getBoundingClientRect().width} px wide, of ${frame.clientWidth}`);
  }
  const texts = [...drawn.querySelectorAll("text")].filter((one) => one.textContent
    && getComputedStyle(one).opacity > 0).map((one) => [one.textContent, one.getBoundingClientRect()]);
  const box = drawn.getBoundingClientRect();
  texts.forEach(([text, one], at) => {
    if (!inside(one, box)) say(figure, `${text}: cut off`);
    for (const [other, two] of texts.slice(at + 1)) {
      if (one.left < two.right - room && two.left < one.right - room
          && one.top < two.bottom - 4 && two.top < one.bottom - 4) say(figure, `${text} on ${other}`);
    }
  });
}
return [faults, document.querySelectorAll("figure.chart svg text").length];"""
CUT = """return [...document.querySelectorAll(".scroll")].filter((one) => one.offsetParent
  && one.scrollWidth > one.clientWidth + 1).map((one) => one.getAttribute("aria-label"))"""


class Layout:
    """Tests of a page with a result of every kind."""

    def resize(self, width):
        """Sets the window's width, and waits until all charts are drawn for it."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        WebDriverWait(self.driver, 60).until(lambda _: self.driver.execute_script(
            "return innerWidth === arguments[0] && [...page.views].every(([figure, view]) => "
            "view.signal('container') === figure.clientWidth)", width), "not drawn again")

    def test_widths(self):
        self.addCleanup(self.driver.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        for width in (NARROW, USUAL, WIDE):
            for snapshot in ("", "late"):
                with self.subTest(width=width, snapshot=snapshot):
                    self.choose("snapshot", snapshot)
                    self.resize(width)
                    faults, texts = self.driver.execute_script(FAULTS)
                    self.assertEqual(faults, [])
                    self.assertGreater(texts, 200)
                    self.assertLessEqual(self.driver.execute_script(
                        "return document.documentElement.scrollWidth"), width)
                    if width != NARROW:  # there tables are moved with a finger
                        self.assertEqual(self.driver.execute_script(CUT), [])

    def test_panels_of_a_narrow_page(self):
        self.addCleanup(self.driver.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        for width, lines in ((NARROW, 3), (USUAL, 1)):
            self.resize(width)
            titles = self.driver.find_elements(
                By.CSS_SELECTOR, '[data-chart="speedup"] .role-title-text text')
            self.assertEqual([one.text for one in titles], ["fwd", "dgrad", "wgrad"])
            self.assertEqual(len({one.location["y"] for one in titles}), lines)
