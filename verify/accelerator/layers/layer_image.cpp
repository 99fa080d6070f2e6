// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/layers/layer_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <stdexcept>
#include <vector>

#include "base/support/error.hpp"
#include "base/support/output.hpp"
#include "sim/accelerator/descriptor.hpp"
#include "verify/accelerator/layers/layer_run.hpp"
#include "verify/unit/accelerator/operation_case.hpp"

namespace td::verify {
namespace {

std::string hex_rows(const std::vector<std::uint8_t>& bytes, std::size_t row_bytes) {
  std::string text;
  for (std::size_t row = 0; row < bytes.size(); row += row_bytes) {
    for (std::size_t i = row_bytes; i-- > 0;) text += fmt::format("{:02x}", bytes[row + i]);
    text += '\n';
  }
  return text;
}

}  // namespace

std::string write_layer_image(const Config& config, std::uint64_t seed, std::uint64_t rows,
                              const std::string& folder) {
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  unit::OperationRun plan(unit::random_case(random, config));
  const auto row_bytes = static_cast<std::size_t>(plan.geometry.row_bytes());
  const std::size_t size = static_cast<std::size_t>(rows) * row_bytes;
  std::vector<std::uint8_t> before = plan.memory.bytes;
  before.resize((before.size() + kList - 1) / kList * kList);
  const std::size_t list = before.size();
  std::vector<std::uint32_t> words;
  for (const sim::Descriptor& descriptor : plan.jobs.front()) sim::encode(descriptor, words);
  before.resize(list + words.size() * 4);
  std::memcpy(before.data() + list, words.data(), words.size() * 4);
  if (before.size() > size || plan.jobs.size() != 1) {
    throw UserError("command line", "--seed", fmt::format("{}", seed),
                    fmt::format("a layer of one job and at most {} bytes", size));
  }
  before.resize(size);
  if (plan.run(config, 0).error != sim::ErrorCode::none) {
    throw std::runtime_error("the functional model finds an error in its own plan");
  }
  std::vector<std::uint8_t> after = before;
  std::copy(plan.memory.bytes.begin(), plan.memory.bytes.end(), after.begin());
  write_files(folder, {{"before.hex", hex_rows(before, row_bytes)},
                       {"after.hex", hex_rows(after, row_bytes)}});
  return fmt::format("+list={:x} +descriptors={}", plan.memory.base + list,
                     plan.jobs.front().size());
}

}  // namespace td::verify
