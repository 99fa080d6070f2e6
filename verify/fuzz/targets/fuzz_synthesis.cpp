// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as synthesis results, and what must hold for those accepted.
#include <cmath>
#include <string>
#include <string_view>

#include "gen/configuration/preset.hpp"
#include "sim/memory/synthesis.hpp"
#include "verify/fuzz/target.hpp"

namespace td::verify {

namespace {

void check(std::string_view text) {
  const sim::Synthesis synthesis = sim::parse_synthesis(std::string(text), kInputName);
  for (const std::string* name : {&synthesis.name, &synthesis.configuration, &synthesis.library,
                                  &synthesis.corner, &synthesis.trace}) {
    must(!name->empty(), "names are not empty");
    check_printable(*name, "a name");
  }
  must(synthesis.clock_MHz > 0 && std::isfinite(synthesis.clock_MHz), "there is a clock");
  must(synthesis.dense_pJ_per_cycle > 0 && synthesis.tile_pJ_per_cycle > 0, "tiles take energy");
  must(synthesis.dense_pJ_per_cycle <= 1e9 && synthesis.tile_pJ_per_cycle <= 1e9, "within limits");
  static const Config config = find_config("tiny");
  must(!synthesis.is_of(config) || synthesis.configuration.size() == 16, "a hash is one");
}

}  // namespace

}  // namespace td::verify

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return td::verify::judge([&] { td::verify::check(td::verify::text_of(data, size)); });
}
