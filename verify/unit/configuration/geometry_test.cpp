// SPDX-License-Identifier: Apache-2.0
// Where results of an accelerator lie, and when two words of a pass leave a tile at once.
#include "base/configuration/geometry.hpp"

#include <doctest/doctest.h>

#include "base/support/error.hpp"
#include "verify/unit/configuration/random_config.hpp"

TEST_CASE("geometry: two words leave at once where result rows are an odd number of rows apart") {
  td::Geometry geometry;
  geometry.lanes = 16;
  geometry.lines = 4;
  geometry.collect_words = 2;
  CHECK(geometry.result_pitch(4, true) == 4);
  CHECK(geometry.result_pitch(8, true) == 12);
  CHECK(geometry.result_pitch(8, false) == 8);
  CHECK(geometry.collect_clocks(4) == 2);
  CHECK(geometry.collect_clocks(12) == 2);
  CHECK(geometry.collect_clocks(8) == 4);
  CHECK(geometry.collect_clocks(6) == 4);  // not of whole rows
  geometry.collect_words = 1;
  CHECK(geometry.collect_clocks(4) == 4);
}

TEST_CASE("geometry: two words at once need two in a result row") {
  td::Config config = td::unit::config_of(
      "[tile]\nlanes = 4\nrows = 4\ncolumns = 4\n[accelerator]\ntiles = 1\n"
      "[accelerator.sram]\nbanks = 1\nbank_bytes = 32768\n");
  CHECK_NOTHROW(td::geometry_of(config));
  config.accelerator.collect_words = 2;
  CHECK_THROWS_WITH_AS(
      td::geometry_of(config),
      doctest::Contains("accelerator.collect_words = 2 is illegal; legal: 1 in an accelerator"),
      td::UserError);
}
