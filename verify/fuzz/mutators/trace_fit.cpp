// SPDX-License-Identifier: Apache-2.0
// Makes a changed trace agree with itself again: small tensors, one after the other in the file.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "verify/fuzz/mutators/trace_edit.hpp"

namespace td::verify {

namespace {

using nlohmann::json;
using Sizes = std::vector<std::int64_t>;

json& item(json& value, const std::string& key) {
  if (!value.is_object()) value = json::object();
  return value[key];
}

std::string text(const json& layer, const char* key) {
  const auto found = layer.is_object() ? layer.find(key) : layer.end();
  return found != layer.end() && found->is_string() ? found->get<std::string>() : "";
}

/// The number if it is one of least…most, else the nearest of those.
std::int64_t number(const json& value, std::uint64_t least, std::uint64_t most) {
  const std::uint64_t wanted = value.is_number_unsigned() ? value.get<std::uint64_t>() : least;
  return static_cast<std::int64_t>(std::clamp(wanted, least, most));
}

/// `most.size()` numbers, each clamped.
Sizes numbers(const json& value, std::uint64_t least, const std::vector<std::uint64_t>& most) {
  Sizes sizes;
  for (std::size_t i = 0; i < most.size(); ++i) {
    const bool there = value.is_array() && i < value.size();
    sizes.push_back(number(there ? value[i] : json(), least, most[i]));
  }
  return sizes;
}

class Fitter {
 public:
  explicit Fitter(Draft& draft) : header_(draft.header) {
    for (const auto& entry : header_.items()) {
      if (entry.key() != "__metadata__") item(entry.value(), "data_offsets") = {0, 0};
    }
  }

  /// Bytes of all tensors.
  std::uint64_t bytes() const { return bytes_; }

  void fit(json& layer) {
    const std::string path = text(layer, "snapshot") + "/" + text(layer, "name") + "/";
    json& a = item(item(header_, path + "A"), "shape");
    json& w = item(item(header_, path + "W"), "shape");
    json& go = item(item(header_, path + "GO"), "shape");
    if (text(layer, "type") == "linear") {
      const Sizes in = numbers(a, 1, {20, 20});
      const Sizes weights = numbers(w, 1, {9, 20});
      a = in;
      w = {weights[0], in[1]};
      go = {in[0], weights[0]};
    } else {
      fit_convolution(layer, a, w, go);
    }
    for (const char* operand : {"A", "W", "GO"}) place(header_[path + operand]);
  }

 private:
  static void fit_convolution(json& layer, json& a, json& w, json& go) {
    const std::uint64_t most = 2147483647;
    Sizes in = numbers(a, 1, {3, 9, 9, 9});
    Sizes kernel = numbers(w, 1, {9, 4, 5, 5});
    Sizes stride = numbers(layer["stride"], 1, {most, most});
    Sizes dilation = numbers(layer["dilation"], 1, {most, most});
    const Sizes padding = numbers(layer["padding"], 0, {most, most});
    const std::int64_t groups = number(layer["groups"], 1, 4);
    in[1] = groups * kernel[1];
    kernel[0] = (kernel[0] + groups - 1) / groups * groups;
    Sizes out = {in[0], kernel[0]};
    for (std::size_t i = 0; i < 2; ++i) {
      const std::int64_t padded = in[2 + i] + 2 * padding[i];
      if (dilation[i] * (kernel[2 + i] - 1) + 1 > padded) dilation[i] = kernel[2 + i] = 1;
      const std::int64_t travel = padded - dilation[i] * (kernel[2 + i] - 1) - 1;
      if (travel / stride[i] >= 12) stride[i] = travel / 5 + 1;
      out.push_back(travel / stride[i] + 1);
    }
    a = in;
    w = kernel;
    go = out;
    layer["stride"] = stride;
    layer["dilation"] = dilation;
    layer["padding"] = padding;
    layer["groups"] = groups;
  }

  void place(json& tensor) {
    json& dtype = item(tensor, "dtype");
    if (dtype != "F32") dtype = "BF16";
    std::uint64_t bytes = dtype == "F32" ? 4 : 2;
    for (const json& size : tensor["shape"]) bytes *= size.get<std::uint64_t>();
    tensor["data_offsets"] = {bytes_, bytes_ + bytes};
    bytes_ += bytes;
  }

  json& header_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

void make_fit(Draft& draft) {
  const json::json_pointer place("/__metadata__/layers");
  if (!draft.header.contains(place) || !draft.header[place].is_array()) return;
  json layers = draft.header[place];
  Fitter fitter(draft);
  for (json& layer : layers) {
    if (layer.is_object()) fitter.fit(layer);
  }
  draft.header[place] = layers;
  draft.data.resize(fitter.bytes(), '\0');
}

}  // namespace td::verify
