// SPDX-License-Identifier: Apache-2.0
// Operands in memory, for tests.
#pragma once

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/trace/operand_source.hpp"

namespace td::unit {

class MemoryOperands : public sim::OperandSource {
 public:
  explicit MemoryOperands(sim::Dtype dtype = sim::Dtype::bf16) : dtype_(dtype) {}

  /// Adds a layer whose elements are 0 with the probability of their operand, else 1 (BF16) or 1.0
  /// (F32).
  void add(const sim::LayerInfo& layer, std::mt19937& random, double zeros_a, double zeros_w,
           double zeros_go) {
    layers_.push_back(layer);
    const std::pair<sim::Operand, double> operands[] = {
        {sim::Operand::A, zeros_a}, {sim::Operand::W, zeros_w}, {sim::Operand::GO, zeros_go}};
    for (const auto& [operand, zeros] : operands) {
      std::vector<std::uint32_t> bits;
      for (std::int64_t i = 0; i < sim::count(layer.shape(operand)); ++i) {
        const bool zero = std::bernoulli_distribution(zeros)(random);
        bits.push_back(zero ? static_cast<std::uint32_t>(random() & 1U) << 31
                            : 0x3f800000U);  // -0 is zero
      }
      set(layer, operand, bits);
    }
  }

  /// Replaces a tensor; `bits` are those of F32 numbers, cut off to BF16.
  void set(const sim::LayerInfo& layer, sim::Operand operand,
           const std::vector<std::uint32_t>& bits) {
    std::vector<unsigned char>& data = data_[{path(layer), operand}];
    data.clear();
    for (std::uint32_t value : bits) {
      for (int byte = dtype_ == sim::Dtype::f32 ? 0 : 2; byte < 4; ++byte) {
        data.push_back(static_cast<unsigned char>(value >> 8 * byte));
      }
    }
  }

  /// A tensor of an F32 source, as fp32 bits that are 0 or not in every format.
  std::vector<std::uint32_t> bits(const sim::LayerInfo& layer, sim::Operand operand) const {
    const std::vector<unsigned char>& data = data_.at({path(layer), operand});
    std::vector<std::uint32_t> bits;
    for (std::size_t i = 0; i < data.size(); i += 4) {
      bits.push_back(data[i + 3] == 0x3f ? 1 : 0);
    }
    return bits;
  }

  const std::string& path() const override { return name_; }
  std::string identity() const override { return "0000000000000000"; }
  const std::vector<sim::LayerInfo>& layers() const override { return layers_; }
  sim::Dtype dtype(const sim::LayerInfo&, sim::Operand) const override { return dtype_; }
  const unsigned char* slab(const sim::LayerInfo& layer, sim::Operand operand, std::int64_t index,
                            sim::SlabBuffer&) const override {
    const std::vector<unsigned char>& data = data_.at({path(layer), operand});
    const auto slabs = static_cast<std::size_t>(layer.shape(operand)[0]);
    return data.data() + static_cast<std::size_t>(index) * (data.size() / slabs);
  }

 private:
  static std::string path(const sim::LayerInfo& layer) { return sim::path(layer); }

  sim::Dtype dtype_;
  std::string name_ = "memory";
  std::vector<sim::LayerInfo> layers_;
  std::map<std::pair<std::string, sim::Operand>, std::vector<unsigned char>> data_;
};

}  // namespace td::unit
