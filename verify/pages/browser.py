# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium with one page of a file. It scrolls at once: a click then is where it should be."""

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common import utils

HERE = "127.0.0.1"


class LocalService(Service):
    """The driver by its address: a machine may have no name for itself."""

    @property
    def service_url(self):
        return f"http://{HERE}:{self.port}"

    def is_connectable(self):
        return utils.is_connectable(self.port, HERE)


def start():
    """A browser; quit() ends it. The driver speaks to it through a pipe, for the same reason."""
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--window-size=1200,900", "--force-prefers-reduced-motion", "--remote-debugging-pipe"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=LocalService("/usr/bin/chromedriver"), options=options)


def load(driver, page):
    """Opens the page; milliseconds until it is drawn. Scripts run before the page counts as loaded."""
    driver.get(page.as_uri())
    if driver.execute_script("return document.documentElement.dataset.ready") != "true":
        raise AssertionError(f"not drawn: {complaints(driver)}")
    return driver.execute_script("const t = performance.getEntriesByType('navigation')[0];"
                                 "return t.loadEventEnd || performance.now()")


def complaints(driver):
    """What the console has since the last call."""
    return [entry["message"] for entry in driver.get_log("browser")]
