# SPDX-License-Identifier: Apache-2.0
"""Work that is spread over the cores."""

import concurrent.futures
import os

from .progress import Progress


def cores():
    """How many things to do at once; TD_JOBS says otherwise."""
    return int(os.environ.get("TD_JOBS") or os.cpu_count() or 1)


def for_each(function, items, what, runner, jobs=None):
    """function(item) of each, started and returned in their order. An exception of one ends the
    others, with the tools that `runner` runs for them."""
    progress = Progress(what, len(items))
    with concurrent.futures.ThreadPoolExecutor(jobs or cores()) as pool:
        try:
            running = [pool.submit(function, item) for item in items]
            for done in concurrent.futures.as_completed(running):
                done.result()
                progress.step()
        except BaseException:
            runner.stop()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
        finally:
            progress.finish()
    return [done.result() for done in running]
