# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium with one page of a file. It scrolls at once: a click then is where it should be."""

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service


def start():
    """A browser; quit() ends it."""
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--window-size=1200,900", "--force-prefers-reduced-motion"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


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
