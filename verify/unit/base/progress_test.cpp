// SPDX-License-Identifier: Apache-2.0
// The line about how far a run has come.
#include "base/support/progress.hpp"

#include <doctest/doctest.h>

TEST_CASE("progress: rate and time left, which nothing done cannot tell") {
  using td::progress_text;
  CHECK(progress_text(50, 200, "rows", 2) == "50/200 rows, 25/s, 6 s left");
  CHECK(progress_text(200, 200, "rows", 2) == "200/200 rows, 100/s, 0 s left");
  CHECK(progress_text(0, 200, "rows", 2) == "0/200 rows, 0/s, - left");
  CHECK(progress_text(0, 200, "rows", 0) == "0/200 rows, 0/s, - left");
  CHECK(progress_text(3, 200, "rows", 0) == "3/200 rows, 0/s, - left");
}
