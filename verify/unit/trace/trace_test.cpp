// SPDX-License-Identifier: Apache-2.0
// Reading of good traces: what the header says, where tensors lie, and their conversion.
#include "sim/trace/trace.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "base/support/error.hpp"
#include "sim/trace/operand_source.hpp"
#include "verify/unit/trace/trace_draft.hpp"

namespace {

using nlohmann::json;
using td::Format;
using td::sim::Operand;
using td::sim::Trace;
using td::unit::Draft;
using td::unit::Folder;
using td::unit::good;
using td::unit::refusal;
using td::unit::write;

}  // namespace

TEST_CASE("trace: operations that a layer omits, and the share of the step") {
  Draft draft = good();
  draft.layers[1]["omits"] = {"fwd"};
  draft.metadata["coverage"] =
      R"({"early": {"macs": 1000, "captured_macs": 932, "not_captured": [
        {"name": "net.mix", "operator": "mv", "macs": 68, "why": "a vector"},
        {"name": "cdist", "operator": "cdist", "macs": null, "why": "not counted"}]}})";
  const Folder folder;
  const Trace trace(write(folder, draft));
  CHECK(operations(trace.layers()[1]) ==
        std::vector<td::sim::Op>{td::sim::Op::dgrad, td::sim::Op::wgrad});
  CHECK(operations(trace.layers()[0]) ==
        std::vector<td::sim::Op>{td::sim::Op::fwd, td::sim::Op::wgrad});
  REQUIRE(trace.coverage().size() == 1);
  const td::sim::Coverage& coverage = trace.coverage()[0];
  CHECK(coverage.snapshot == "early");
  CHECK(coverage.share() == 0.932);
  CHECK(coverage.is_bound());
  REQUIRE(coverage.not_captured.size() == 2);
  CHECK(coverage.not_captured[0].name == "net.mix");
  CHECK(coverage.not_captured[0].op == "mv");
  CHECK(coverage.not_captured[0].macs == 68);
  CHECK(coverage.not_captured[0].why == "a vector");
  CHECK_FALSE(coverage.not_captured[1].macs.has_value());
}

TEST_CASE("trace: a good file is read as it is") {
  const Folder folder;
  const Trace trace(write(folder, good()));
  CHECK(trace.model() == "toy");
  CHECK(trace.dataset() == "none");
  CHECK(trace.framework() == "by hand");
  REQUIRE(trace.snapshots().size() == 1);
  CHECK(trace.snapshots()[0].name == "early");
  CHECK(trace.snapshots()[0].epoch.value() == 0.5);
  CHECK(trace.snapshots()[0].step.value() == 20);
  CHECK(trace.snapshots()[0].loss.value() == 2.25);
  CHECK_FALSE(trace.snapshots()[0].test_accuracy.has_value());
  REQUIRE(trace.layers().size() == 2);
  const td::sim::LayerInfo& conv = trace.layers()[0];
  CHECK(conv.name == "conv1");
  CHECK(conv.type == td::sim::LayerType::conv2d);
  CHECK_FALSE(conv.needs_input_grad);
  CHECK(operations(conv).size() == 2);
  CHECK(conv.conv.stride[0] == 2);
  CHECK(conv.conv.stride[1] == 1);
  CHECK(conv.conv.padding[0] == 1);
  CHECK(conv.conv.padding[1] == 0);
  CHECK(conv.conv.dilation[0] == 1);
  CHECK(conv.conv.dilation[1] == 2);
  CHECK(conv.conv.groups == 2);
  CHECK(conv.w == td::sim::Shape{6, 2, 3, 2});
  const td::sim::LayerInfo& linear = trace.layers()[1];
  CHECK(linear.type == td::sim::LayerType::linear);
  CHECK(linear.needs_input_grad);
  CHECK(trace.coverage().empty());
  CHECK(operations(linear).size() == 3);
  CHECK(trace.tensor(linear, Operand::W).shape == td::sim::Shape{5, 7});
  CHECK(trace.tensor(linear, Operand::W).count == 35);
}

TEST_CASE("trace: results are there where they were stored") {
  const Folder folder;
  Draft draft = good();
  draft.add("early/fc/GW", "F32", {5, 7});
  const Trace trace(write(folder, draft));
  const td::sim::LayerInfo& linear = trace.layers()[1];
  REQUIRE(trace.result(linear, td::sim::Op::wgrad) != nullptr);
  CHECK(trace.result(linear, td::sim::Op::wgrad)->shape == td::sim::Shape{5, 7});
  CHECK(trace.result(linear, td::sim::Op::wgrad)->data != trace.tensor(linear, Operand::W).data);
  CHECK(trace.result(linear, td::sim::Op::fwd) == nullptr);
  CHECK(trace.result(trace.layers()[0], td::sim::Op::wgrad) == nullptr);
}

TEST_CASE("trace: tensors are where their offsets say, at any alignment") {
  const Folder folder;
  Draft draft = good();
  draft.data = "." + draft.data;
  for (const auto& [name, entry] : draft.header.items()) {
    for (json& offset : entry["data_offsets"]) offset = offset.get<int>() + 1;
  }
  draft.metadata["filler"] = draft.text().size() % 2 == 0 ? "odd" : "even";
  const Trace trace(write(folder, draft));
  for (const td::sim::LayerInfo& layer : trace.layers()) {
    for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
      const td::sim::TensorView& view = trace.tensor(layer, operand);
      const std::string name = path(layer) + "/" + to_string(operand);
      const auto begin = draft.header[name]["data_offsets"][0].get<std::size_t>();
      const bool wide = view.dtype == td::sim::Dtype::f32;
      const Format format = wide ? Format::fp32 : Format::bf16;
      const std::vector<std::uint32_t> bits = load_bits(view, format);
      REQUIRE(bits.size() == static_cast<std::size_t>(view.count));
      for (std::size_t i = 0; i < bits.size(); ++i) {
        std::uint32_t expected = 0;
        for (std::size_t j = wide ? 4 : 2; j-- > 0;) {
          const auto byte = static_cast<unsigned char>(draft.data[begin + i * (wide ? 4 : 2) + j]);
          expected = expected << 8 | byte;
        }
        REQUIRE(bits[i] == expected);
        REQUIRE(view.bits(format, static_cast<std::int64_t>(i)) == expected);
      }
    }
  }
}

TEST_CASE("trace: a moved trace keeps its tensors") {
  const Folder folder;
  Trace first(write(folder, good()));
  const std::uint32_t before = first.tensor(first.layers()[0], Operand::A).bits(Format::bf16, 7);
  const Trace second(std::move(first));
  CHECK(second.tensor(second.layers()[0], Operand::A).bits(Format::bf16, 7) == before);
  td::sim::LayerInfo stranger = second.layers()[0];
  stranger.name = "conv2";
  CHECK_THROWS_AS(second.tensor(stranger, Operand::A), td::UserError);
}

TEST_CASE("trace: its identity is that of its header and its size") {
  const Folder folder;
  Draft draft = good();
  const std::string identity = Trace(write(folder, draft)).identity();
  // By an FNV-1a written on its own: of the header's text and the file's size in decimal digits.
  std::uint64_t hash = 14695981039346656037U;
  const std::string header = draft.text();
  for (const char c : header + std::to_string(8 + header.size() + draft.data.size())) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211U;
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  CHECK(identity == text);
  draft.data += '?';
  CHECK(Trace(write(folder, draft)).identity() != identity);
  draft.data.pop_back();
  draft.metadata["model"] = "ty0";
  CHECK(Trace(write(folder, draft)).identity() != identity);
}

TEST_CASE("trace: slabs are the images and filters of its tensors") {
  const Folder folder;
  const Trace trace(write(folder, good()));
  const td::sim::TraceOperands operands(trace);
  td::sim::SlabBuffer buffer;
  CHECK(operands.path() == trace.path());
  CHECK(operands.identity() == trace.identity());
  for (const td::sim::LayerInfo& layer : operands.layers()) {
    for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
      const td::sim::TensorView& view = trace.tensor(layer, operand);
      CHECK(operands.dtype(layer, operand) == view.dtype);
      const std::int64_t slabs = view.shape[0];
      const std::int64_t slab_bytes = view.count / slabs * bytes(view.dtype);
      for (std::int64_t i = 0; i < slabs; ++i) {
        CHECK(operands.slab(layer, operand, i, buffer) == view.data + i * slab_bytes);
      }
    }
  }
}

TEST_CASE("trace: numbers are kept, rounded to nearest even or widened") {
  const unsigned char f32[] = {0x00, 0x80, 0x80, 0x3f, 0x00, 0x80, 0x81, 0x3f, 0x01, 0x80,
                               0x80, 0x3f, 0x01, 0x00, 0x80, 0x7f, 0x00, 0x00, 0x00, 0x80};
  td::sim::TensorView view{td::sim::Dtype::f32, {5}, f32, 5};
  using Bits = std::vector<std::uint32_t>;
  CHECK(load_bits(view, Format::fp32) ==
        Bits{0x3f808000, 0x3f818000, 0x3f808001, 0x7f800001, 0x80000000});
  CHECK(load_bits(view, Format::bf16) == Bits{0x3f80, 0x3f82, 0x3f81, 0x7fc0, 0x8000});
  CHECK(load_bits(view, Format::fp16) == Bits{0x3c04, 0x3c0c, 0x3c04, 0x7e00, 0x8000});
  CHECK(view.bits(Format::bf16, 1) == 0x3f82);
  const unsigned char bf16[] = {0x80, 0x3f, 0x81, 0x7f, 0x00, 0x48, 0x01, 0x80};
  view = {td::sim::Dtype::bf16, {4}, bf16, 4};
  CHECK(load_bits(view, Format::bf16) == Bits{0x3f80, 0x7f81, 0x4800, 0x8001});
  CHECK(load_bits(view, Format::fp32) == Bits{0x3f800000, 0x7f810000, 0x48000000, 0x80010000});
  CHECK(load_bits(view, Format::fp16) == Bits{0x3c00, 0x7e00, 0x7c00, 0x8000});
  using td::sim::Dtype;
  CHECK(td::sim::conversion_text(Dtype::f32, Format::fp32).empty());
  CHECK(td::sim::conversion_text(Dtype::bf16, Format::bf16).empty());
  CHECK(td::sim::conversion_text(Dtype::f32, Format::bf16) == "F32 rounded to bf16");
  CHECK(td::sim::conversion_text(Dtype::bf16, Format::fp32) == "BF16 widened to fp32");
  const Folder folder;
  const Trace trace(write(folder, good()));
  CHECK(trace.conversion_text(Format::bf16) == "F32 rounded to bf16");
  CHECK(trace.conversion_text(Format::fp32) == "BF16 widened to fp32");
  CHECK(trace.conversion_text(Format::fp16) == "BF16 rounded to fp16; F32 rounded to fp16");
}

TEST_CASE("trace: unknown keys, tensors of no layer and holes are accepted") {
  const Folder folder;
  Draft draft = good();
  draft.metadata["images"] = "4";
  draft.layers[0]["bias"] = true;
  draft.layers[1]["stride"] = "whatever, linear has none";
  draft.snapshots["early"]["learning_rate"] = 0.1;
  draft.snapshots["late"] = "no layer asks";
  draft.header["early/fc/A"]["comment"] = "x";
  draft.data += std::string(1000, 'h');
  draft.header["extra"] = {{"dtype", "I64"}, {"data_offsets", {2000, 2008}}};
  draft.data += std::string(1000, 'h');
  CHECK(refusal(write(folder, draft)).empty());
}
