# SPDX-License-Identifier: Apache-2.0
"""How long a page of 10,000 points takes to open, drawn. usage: measure.py"""

import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True

import browser  # noqa: E402
import results  # noqa: E402


def main():
    """Prints the least of three times."""
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.html"
        status, errors = results.run_page(results.explored(pathlib.Path(folder)), "--out", page)
        if status:
            sys.exit("\n".join(errors))
        driver = browser.start()
        try:
            least = min(browser.load(driver, page) for _ in range(3))
        finally:
            driver.quit()
        print(f"{results.POINTS:,d} points: {page.stat().st_size / 1e6:.1f} MB, opened and drawn in "
              f"{least / 1000:.2f} s")


if __name__ == "__main__":
    main()
