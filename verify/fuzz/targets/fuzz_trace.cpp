// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as a trace, and all that programs do with one that is accepted.
#include <map>
#include <string>
#include <vector>

#include "base/support/error.hpp"
#include "sim/cycles/operand_choice.hpp"
#include "sim/trace/trace.hpp"
#include "verify/fuzz/target.hpp"
#include "verify/fuzz/targets/mapping_check.hpp"
#include "verify/fuzz/targets/memory_file.hpp"

namespace td::verify {

namespace {

using sim::LayerInfo;
using sim::Op;
using sim::Operand;
using sim::TensorView;
using sim::Which;

/// Past the end of a mapping lies the rest of its last page, which no sanitizer watches: so the
/// tensors' places are checked by hand.
void check_places(const std::string& path) {
  const sim::TraceFile file(path);
  const sim::TraceHeader header = sim::read_header(file, path);
  std::map<const unsigned char*, const unsigned char*> ranges;
  for (const auto& [name, view] : header.tensors) {
    must(view.count > 0 && view.count == sim::count(view.shape), name + " has its shape's count");
    const unsigned char* end = view.data + view.count * sim::bytes(view.dtype);
    must(view.data >= file.data() && end <= file.data() + file.data_bytes(), name + " in the file");
    must(ranges.emplace(view.data, end).second, name + " begins where no other tensor does");
  }
  const unsigned char* last = file.data();
  for (const auto& [begin, end] : ranges) {
    must(begin >= last, "tensors do not overlap");
    last = end;
  }
}

/// The operands as replay and simulation load them, and the choice that they make from them.
void check_operands(const sim::Trace& trace, const LayerInfo& layer, Op op, Format format) {
  const TensorView& first = trace.tensor(layer, operand(op, Which::first));
  const TensorView& second = trace.tensor(layer, operand(op, Which::second));
  const std::vector<std::uint32_t> first_bits = load_bits(first, format);
  const std::vector<std::uint32_t> second_bits = load_bits(second, format);
  for (std::size_t i = 0; i < first_bits.size(); ++i) {
    must(first.bits(format, static_cast<std::int64_t>(i)) == first_bits[i], "both loads agree");
  }
  const sim::TraceOperands operands(trace);
  const sim::ZeroShares shares = zero_shares(layer, op, count_zeros(operands, layer, format));
  for (const sim::ZeroCount& count : {shares.first, shares.second}) {
    must(count.elements > 0 && count.zeros >= 0 && count.zeros <= count.elements,
         "the share of zeros is one");
  }
}

void check_layer(const sim::Trace& trace, const LayerInfo& layer) {
  check_printable(path(layer), "a layer's name");
  for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
    must(trace.tensor(layer, operand).shape == layer.shape(operand), "shapes are the tensors'");
  }
  for (const Op op : sim::operations(layer)) {
    for (std::size_t format = 0; format < kFormatCount; ++format) {
      check_operands(trace, layer, op, static_cast<Format>(format));
    }
    for (const int lanes : {2, 5, 64}) check_mapping(layer, op, lanes);
  }
}

void check(const std::string& path) {
  const sim::Trace trace(path);
  check_places(path);
  for (const std::string* text : {&trace.model(), &trace.dataset(), &trace.framework()}) {
    check_printable(*text, "the model, data set or framework");
  }
  must(!trace.layers().empty() && !trace.snapshots().empty(), "a trace has layers and snapshots");
  for (const sim::Snapshot& snapshot : trace.snapshots()) {
    check_printable(snapshot.name, "a snapshot's name");
  }
  for (std::size_t format = 0; format < kFormatCount; ++format) {
    check_printable(trace.conversion_text(static_cast<Format>(format)), "the conversions");
  }
  for (const LayerInfo& layer : trace.layers()) check_layer(trace, layer);
}

}  // namespace

}  // namespace td::verify

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const td::verify::MemoryFile file(data, size);
  return td::verify::judge([&] { td::verify::check(file.path()); });
}
