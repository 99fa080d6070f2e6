// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as a profile of layers.
#include <string>

#include "sim/system/profile/profile.hpp"
#include "verify/fuzz/target.hpp"
#include "verify/fuzz/targets/memory_file.hpp"

namespace td::verify {

namespace {

void check(const std::string& path) {
  const job::Profile profile = job::read_profile(path, "", "");
  check_printable(profile.model, "the name of a model");
  for (const job::ProfileLayer& layer : profile.layers) {
    check_printable(layer.name, "the name of a layer");
    must(layer.forward_s >= 0 && layer.backward_s >= 0, "times are not negative");
    must(layer.activation_bytes >= 0 && layer.parameter_bytes >= 0, "sizes are not negative");
  }
}

}  // namespace

}  // namespace td::verify

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const td::verify::MemoryFile file(data, size);
  td::verify::judge([&] { td::verify::check(file.path()); });
  return 0;
}
