// SPDX-License-Identifier: Apache-2.0
// Reading and checking of a trace's header: nothing in it is believed before it is checked.
#include "sim/trace/trace_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "base/readers/json_document.hpp"
#include "base/support/error.hpp"

namespace td::sim {

namespace {

/// Largest integer that parameters and dimensions may have.
constexpr std::uint64_t max_integer = 2147483647;

/// Most multiply-accumulates of a step.
constexpr std::uint64_t most_macs = std::uint64_t{1} << 62;

constexpr const char* format_name = "tensordash-trace-1";

/// A part of the data, in bytes from its start.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string name;  ///< of the tensor
};

class HeaderReader {
 public:
  HeaderReader(const TraceFile& file, const std::string& path)
      : file_(file),
        path_(path),
        document_(file.header(), path, "header"),
        root_(document_.root()) {}

  TraceHeader read() {
    const JsonValue metadata = root_.member("__metadata__", "__metadata__");
    const JsonValue format = text_member(metadata, "format");
    if (format.text() != format_name) format.fail(format_name);
    check_ranges();
    header_.model = text_member(metadata, "model").printable();
    header_.dataset = text_member(metadata, "dataset").printable();
    header_.framework = text_member(metadata, "framework").printable();
    read_layers(text_member(metadata, "layers").text());
    read_snapshots(text_member(metadata, "snapshots").text());
    if (metadata.has("coverage")) read_coverage(text_member(metadata, "coverage").text());
    return std::move(header_);
  }

 private:
  static JsonValue text_member(const JsonValue& metadata, const std::string& key) {
    return metadata.member(key, "__metadata__ " + key);
  }

  /// Every tensor, also those of no layer: inside the file, and none over another.
  void check_ranges() {
    std::vector<Range> ranges;
    for (const std::string& name : root_.keys()) {
      if (name != "__metadata__") ranges.push_back(read_range(name));
    }
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
      return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
    const Range* last = nullptr;
    for (const Range& range : ranges) {
      if (range.begin == range.end) continue;
      if (last != nullptr && range.begin < last->end) {
        root_.member(range.name, range.name)
            .member("data_offsets", range.name + " data_offsets")
            .fail("bytes that no other tensor has; " + last->name + " has some of these");
      }
      last = &range;
    }
  }

  Range read_range(const std::string& name) const {
    const JsonValue offsets =
        root_.member(name, name).member("data_offsets", name + " data_offsets");
    const std::string legal =
        fmt::format("[begin, end], begin <= end <= {} (bytes of data)", file_.data_bytes());
    const std::vector<std::uint64_t> pair = offsets.integers(legal);
    if (pair.size() != 2 || pair[0] > pair[1] || pair[1] > file_.data_bytes()) offsets.fail(legal);
    return {pair[0], pair[1], name};
  }

  void read_layers(const std::string& text) {
    const JsonDocument document(text, path_, "__metadata__ layers");
    const JsonValue array = document.root();
    const std::size_t size = array.size("an array of at least one layer");
    if (size == 0) array.fail("an array of at least one layer");
    std::set<std::string> paths;
    for (std::size_t i = 0; i < size; ++i) {
      const JsonValue entry = array.element(i, fmt::format("layers[{}]", i));
      LayerInfo layer = read_layer(entry);
      if (!paths.insert(sim::path(layer)).second) {
        entry.fail("layers named once; " + sim::path(layer) + " is there already");
      }
      for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
        read_tensor(layer, operand);
      }
      check_layer(layer, path_);
      for (const Op op : {Op::fwd, Op::dgrad, Op::wgrad}) read_result(layer, op);
      header_.layers.push_back(std::move(layer));
    }
  }

  static LayerInfo read_layer(const JsonValue& entry) {
    LayerInfo layer;
    layer.snapshot = entry.member("snapshot", entry.field() + ".snapshot").name();
    layer.name = entry.member("name", entry.field() + ".name").name();
    const std::string prefix = path(layer) + "/";
    const JsonValue type = entry.member("type", prefix + "type");
    if (type.text() == "linear") {
      layer.type = LayerType::linear;
    } else if (type.text() == "conv2d") {
      layer.conv = read_conv(entry, prefix);
    } else {
      type.fail("conv2d or linear");
    }
    if (entry.has("needs_input_grad")) {
      layer.needs_input_grad =
          entry.member("needs_input_grad", prefix + "needs_input_grad").boolean();
    }
    if (entry.has("operator")) {
      const std::string& name = entry.member("operator", prefix + "operator").text();
      layer.is_transposed = name.rfind("conv_transpose", 0) == 0;
    }
    if (entry.has("omits")) read_omits(entry.member("omits", prefix + "omits"), layer);
    return layer;
  }

  /// Operations that the step does not compute; at least one must be left.
  static void read_omits(const JsonValue& array, LayerInfo& layer) {
    const std::string legal = "an array of fwd, dgrad, wgrad that leaves an operation to do";
    const std::size_t size = array.size(legal);
    for (std::size_t i = 0; i < size; ++i) {
      const std::string& name = array.element(i, fmt::format("{}[{}]", array.field(), i)).text();
      bool known = false;
      for (const Op op : {Op::fwd, Op::dgrad, Op::wgrad}) {
        if (name != to_string(op)) continue;
        layer.omits.push_back(op);
        known = true;
      }
      if (!known) array.fail(legal);
    }
    if (operations(layer).empty()) array.fail(legal);
  }

  static Conv read_conv(const JsonValue& entry, const std::string& prefix) {
    Conv conv;
    read_pair(entry.member("stride", prefix + "stride"), 1, conv.stride);
    read_pair(entry.member("padding", prefix + "padding"), 0, conv.padding);
    read_pair(entry.member("dilation", prefix + "dilation"), 1, conv.dilation);
    conv.groups = entry.member("groups", prefix + "groups").integer(1, max_integer);
    return conv;
  }

  static void read_pair(const JsonValue& value, std::uint64_t least, std::int64_t (&pair)[2]) {
    const std::string legal = fmt::format("two integers of {}..{}", least, max_integer);
    const std::vector<std::uint64_t> numbers = value.integers(legal);
    if (numbers.size() != 2) value.fail(legal);
    for (std::size_t i = 0; i < 2; ++i) {
      if (numbers[i] < least || numbers[i] > max_integer) value.fail(legal);
      pair[i] = static_cast<std::int64_t>(numbers[i]);
    }
  }

  void read_tensor(LayerInfo& layer, Operand operand) {
    const std::string name = sim::path(layer) + "/" + to_string(operand);
    TensorView view = read_view(name);
    (operand == Operand::A ? layer.a : operand == Operand::W ? layer.w : layer.go) = view.shape;
    header_.tensors.emplace(name, std::move(view));
  }

  void read_result(const LayerInfo& layer, Op op) {
    const std::string name = sim::path(layer) + "/" + result_name(op);
    if (!root_.has(name)) return;
    TensorView view = read_view(name);
    const Shape& shape = layer.shape(result_like(op));
    if (view.shape != shape) {
      root_.member(name, name).member("shape", name + " shape").fail(to_string(shape));
    }
    header_.results.emplace(name, std::move(view));
  }

  TensorView read_view(const std::string& name) const {
    const JsonValue entry = root_.member(name, name);
    TensorView view;
    view.dtype = read_dtype(entry.member("dtype", name + " dtype"));
    const JsonValue shape = entry.member("shape", name + " shape");
    view.shape = read_shape(shape);
    view.count = count(view.shape);
    const Range range = read_range(name);
    const auto bytes_there = static_cast<std::int64_t>(range.end - range.begin);
    if (view.count != bytes_there / bytes(view.dtype) || bytes_there % bytes(view.dtype) != 0) {
      shape.fail(fmt::format("the {} bytes of its data_offsets as {}", bytes_there,
                             to_string(view.dtype)));
    }
    view.data = file_.data() + range.begin;
    return view;
  }

  static Dtype read_dtype(const JsonValue& value) {
    if (value.text() == to_string(Dtype::f32)) return Dtype::f32;
    if (value.text() != to_string(Dtype::bf16)) value.fail("F32 or BF16");
    return Dtype::bf16;
  }

  /// Dimensions of 1..max_integer whose product is representable.
  static Shape read_shape(const JsonValue& value) {
    const std::string legal =
        fmt::format("dimensions of 1..{}, at most 2^62 elements", max_integer);
    Shape shape;
    for (const std::uint64_t size : value.integers(legal)) {
      if (size < 1 || size > max_integer) value.fail(legal);
      shape.push_back(static_cast<std::int64_t>(size));
    }
    if (count(shape) == 0) value.fail(legal);
    return shape;
  }

  void read_snapshots(const std::string& text) {
    const JsonDocument document(text, path_, "__metadata__ snapshots");
    std::set<std::string> known;
    for (const LayerInfo& layer : header_.layers) {
      if (!known.insert(layer.snapshot).second) continue;
      const std::string field = "snapshots." + layer.snapshot;
      const JsonValue facts = document.root().member(layer.snapshot, field);
      const auto fact = [&](const char* key) {
        return facts.member(key, field + "." + key).number_or_null();
      };
      header_.snapshots.push_back(
          {layer.snapshot, fact("epoch"), fact("step"), fact("loss"), fact("test_accuracy")});
    }
  }

  void read_coverage(const std::string& text) {
    const JsonDocument document(text, path_, "__metadata__ coverage");
    for (const Snapshot& snapshot : header_.snapshots) {
      const std::string field = "coverage." + snapshot.name;
      const JsonValue facts = document.root().member(snapshot.name, field);
      Coverage coverage{snapshot.name, 0, 0, {}};
      coverage.macs = facts.member("macs", field + ".macs").integer(1, most_macs);
      coverage.captured_macs = facts.member("captured_macs", field + ".captured_macs")
                                   .integer(0, static_cast<std::uint64_t>(coverage.macs));
      const JsonValue missing = facts.member("not_captured", field + ".not_captured");
      const std::size_t size = missing.size("an array of operators");
      for (std::size_t i = 0; i < size; ++i) {
        coverage.not_captured.push_back(
            read_not_captured(missing.element(i, fmt::format("{}[{}]", missing.field(), i))));
      }
      header_.coverage.push_back(std::move(coverage));
    }
  }

  static NotCaptured read_not_captured(const JsonValue& entry) {
    const auto member = [&](const char* key) {
      return entry.member(key, entry.field() + "." + key);
    };
    NotCaptured one{member("name").printable(), member("operator").printable(), std::nullopt,
                    member("why").printable()};
    const JsonValue macs = member("macs");
    if (!macs.is_null()) one.macs = macs.integer(0, most_macs);
    return one;
  }

  const TraceFile& file_;
  const std::string& path_;
  const JsonDocument document_;
  const JsonValue root_;
  TraceHeader header_;
};

}  // namespace

TraceHeader read_header(const TraceFile& file, const std::string& path) {
  return HeaderReader(file, path).read();
}

}  // namespace td::sim
