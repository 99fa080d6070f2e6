// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as synthesis results, and what must hold for those accepted.
#include <cmath>
#include <string>
#include <string_view>

#include "base/configuration/preset.hpp"
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
  const sim::StepEnergy& parts = synthesis.parts;
  must(parts.dense_step_pJ > 0 && parts.dense_step_pJ <= 1e9, "tiles take energy, within limits");
  for (const sim::StepParts& way : {parts.dense, parts.sparse, parts.gated, parts.zero_gated}) {
    must(way.step > 0, "a step takes energy");
    for (const sim::StepPart& part : sim::kStepParts) {
      must(way.*part.value >= 0 && way.*part.value <= 1000, "a part is a share");
    }
  }
  static const Config config = find_config("tiny");
  must(!synthesis.is_of(config) || synthesis.configuration.size() == 16, "a hash is one");
}

}  // namespace

}  // namespace td::verify

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return td::verify::judge([&] { td::verify::check(td::verify::text_of(data, size)); });
}
