// SPDX-License-Identifier: Apache-2.0
// Transition times of pins, read from a file.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "sim/gate/power/slews.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/gate/slews_draft.hpp"

using td::gate::Slews;
using td::unit::slews_of;

TEST_CASE("slews: a file of them") {
  const Slews slews = slews_of(
      "top a A 0.5\n$paramod\\m\\W=s32'00 \\a.b[3] A 1e-1\r\n  top   a B\t0 \ntop a[0] A 3", 0.25);
  CHECK(slews.at("top", "a", "A") == 0.5);
  CHECK(slews.at("top", "a", "B") == 0);
  CHECK(slews.at("top", "a[0]", "A") == 3);
  CHECK(slews.at("$paramod\\m\\W=s32'00", "\\a.b[3]", "A") == 0.1);
  CHECK(slews.at("top", "a", "C") == 0.25);
  CHECK(slews.at("top", "b", "A") == 0.25);
  CHECK(slews.at("other", "a", "A") == 0.25);
  CHECK(Slews(2).at("top", "a", "A") == 2);

  const auto message = [](const std::string& text) {
    const std::string all = td::unit::message_of([&] { slews_of(text, 0); });
    return all.substr(std::min(all.find("slews.txt"), all.size()));
  };
  const std::string form = " is illegal; legal: MODULE INSTANCE PIN SLEW_NS, the slew not negative";
  CHECK(message("top a A 1\ntop a B\n") == "slews.txt: line 2 = top a B" + form);
  CHECK(message("top a A 1 2\n") == "slews.txt: line 1 = top a A 1 2" + form);
  CHECK(message("top a A -1\n") == "slews.txt: line 1 = top a A -1" + form);
  CHECK(message("top a A nan\n") == "slews.txt: line 1 = top a A nan" + form);
  CHECK(message("top a A 1\n\n") == "slews.txt: line 2 = " + form);
  CHECK(message("top a A 1\ntop a A 1\n") ==
        "slews.txt: line 2 = top a A 1 is illegal; legal: each pin once");
  CHECK(td::unit::message_of([] { Slews::read("/nowhere/s.txt", 0); }) ==
        "/nowhere/s.txt: cannot be read: No such file or directory; legal: a readable file of "
        "slews");
}
