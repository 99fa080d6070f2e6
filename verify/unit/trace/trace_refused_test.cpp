// SPDX-License-Identifier: Apache-2.0
// Refusal of bad traces: everything that one can lie about, and what the message says.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "sim/mapping/layer.hpp"
#include "verify/unit/trace/trace_draft.hpp"

namespace {

using nlohmann::json;
using td::unit::Draft;
using td::unit::Folder;
using td::unit::good;
using td::unit::refusal;
using td::unit::write;

/// Spoils the good trace and checks what the reader says.
void check_refused(const std::function<void(Draft&)>& spoil, const std::string& expected) {
  const Folder folder;
  Draft draft = good();
  spoil(draft);
  const std::string text = refusal(write(folder, draft));
  INFO("said:     " << text);
  INFO("expected: " << expected);
  CHECK(text.rfind(expected, 0) == 0);
}

json& tensor(Draft& draft, const char* name) { return draft.header[name]; }

}  // namespace

TEST_CASE("trace: files that cannot be one") {
  const Folder folder;
  CHECK(refusal(folder.file("absent")) ==
        "cannot be read: No such file or directory; legal: a readable trace (safetensors)");
  CHECK(refusal(folder.file("")) == "is not a regular file");
  REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  CHECK(refusal(folder.file("pipe")) == "is not a regular file");
  const std::string path = folder.file("t.safetensors");
  std::ofstream(path) << "short";
  CHECK(refusal(path).rfind("size = 5 bytes is illegal; legal: at least the 8", 0) == 0);
  write(path, "{}", "", 3);
  CHECK(refusal(path) ==
        "header length = 3 is illegal; legal: 0..2 bytes, as in a safetensors file");
  write(path, "{}", "", ~std::uint64_t{0});
  CHECK(refusal(path) ==
        "header length = 18446744073709551615 is illegal; legal: 0..2 bytes, as in a safetensors "
        "file");
  write(path, "{}", "", 0);
  CHECK(refusal(path).rfind("header = text broken at byte 1 is", 0) == 0);
  write(path, "{]", "", 2);
  CHECK(refusal(path).rfind("header = text broken at byte 2 is illegal; legal: JSON", 0) == 0);
  write(path, "[]", "", 2);
  CHECK(refusal(path) == "header = [] is illegal; legal: an object");
  write(path, "{\"a\": 1e999}", "", 12);
  CHECK(refusal(path).rfind("header: ", 0) == 0);
  write(path, "{\"\xff\": 1}", "", 8);
  CHECK(refusal(path).rfind("header = text broken at byte 3", 0) == 0);
  const std::string twice = "{\"a\\n\": 1, \"a\\n\": 2}";
  write(path, twice, "", twice.size());
  CHECK(refusal(path) == "header = key a? twice is illegal; legal: every key once");
  const std::string deep(1000000, '[');
  write(path, deep, "", deep.size());
  CHECK(refusal(path) == "header = nesting is illegal; legal: 8 levels");
}

TEST_CASE("trace: every truncation of a good file is refused") {
  const Folder folder;
  const std::string path = write(folder, good());
  for (std::uintmax_t size = std::filesystem::file_size(path); size-- > 0;) {
    std::filesystem::resize_file(path, size);
    REQUIRE_FALSE(refusal(path).empty());
  }
}

TEST_CASE("trace: a header above 100 MB is refused without being read") {
  const Folder folder;
  const std::string path = folder.file("t.safetensors");
  const auto peak_kilobytes = [] {
    struct rusage usage = {};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  write(path, "{", "", 100000001);
  std::filesystem::resize_file(path, 300000000);
  const long before = peak_kilobytes();
  CHECK(
      refusal(path) ==
      "header length = 100000001 is illegal; legal: 0..100000000 bytes, as in a safetensors file");
  CHECK(peak_kilobytes() - before < 20000);
  write(path, "{", "", 100000000);
  std::filesystem::resize_file(path, 300000000);
  CHECK(refusal(path).rfind("header = text broken at byte 2", 0) == 0);
}

TEST_CASE("trace: every missing key is named") {
  for (const char* key : {"format", "model", "dataset", "framework"}) {
    check_refused([&](Draft& d) { d.metadata.erase(key); },
                  std::string("__metadata__ ") + key + " is missing");
  }
  check_refused([](Draft& d) { d.layers = nullptr; }, "__metadata__ layers is missing");
  check_refused([](Draft& d) { d.snapshots = nullptr; }, "__metadata__ snapshots is missing");
  for (const char* key : {"snapshot", "name"}) {
    check_refused([&](Draft& d) { d.layers[1].erase(key); },
                  std::string("layers[1].") + key + " is missing");
  }
  for (const char* key : {"type", "stride", "padding", "dilation", "groups"}) {
    check_refused([&](Draft& d) { d.layers[0].erase(key); },
                  std::string("early/conv1/") + key + " is missing");
  }
  check_refused([](Draft& d) { d.snapshots.erase("early"); }, "snapshots.early is missing");
  for (const char* key : {"epoch", "step", "loss", "test_accuracy"}) {
    check_refused([&](Draft& d) { d.snapshots["early"].erase(key); },
                  std::string("snapshots.early.") + key + " is missing");
  }
  for (const char* name : {"early/conv1/A", "early/conv1/W", "early/fc/GO"}) {
    check_refused([&](Draft& d) { d.header.erase(name); }, std::string(name) + " is missing");
    for (const char* key : {"dtype", "shape", "data_offsets"}) {
      check_refused([&](Draft& d) { tensor(d, name).erase(key); },
                    std::string(name) + " " + key + " is missing");
    }
  }
  const Folder folder;
  const std::string path = folder.file("t.safetensors");
  write(path, "{}", "", 2);
  CHECK(refusal(path) == "__metadata__ is missing");
}

TEST_CASE("trace: metadata of the wrong kind") {
  check_refused([](Draft& d) { d.metadata["format"] = "tensordash-trace-2"; },
                "__metadata__ format = \"tensordash-trace-2\" is illegal; legal: tensordash-tr");
  check_refused([](Draft& d) { d.metadata["model"] = 3; },
                "__metadata__ model = 3 is illegal; legal: a string");
  check_refused([](Draft& d) { d.layers = json::object(); }, "__metadata__ layers = {} is illegal");
  check_refused([](Draft& d) { d.layers = json::array(); }, "__metadata__ layers = [] is illegal");
  check_refused([](Draft& d) { d.layers[0] = 5; }, "layers[0] = 5 is illegal; legal: an object");
  check_refused([](Draft& d) { d.layers[0]["name"] = ""; }, "layers[0].name = \"\" is illegal");
  check_refused([](Draft& d) { d.layers[0]["name"] = "a\nb"; },
                "layers[0].name = \"a\\nb\" is illegal; legal: a name without control");
  check_refused([](Draft& d) { d.layers[0]["type"] = "conv3d"; },
                "early/conv1/type = \"conv3d\" is illegal; legal: conv2d or linear");
  check_refused([](Draft& d) { d.layers[1]["needs_input_grad"] = 1; },
                "early/fc/needs_input_grad = 1 is illegal; legal: true or false");
  check_refused([](Draft& d) { d.layers[1]["operator"] = 7; },
                "early/fc/operator = 7 is illegal; legal: a string");
  for (const json& omits : {json({"fwd", "bias"}), json({"fwd", "dgrad", "wgrad"}), json("fwd")}) {
    check_refused(
        [&](Draft& d) { d.layers[1]["omits"] = omits; },
        "early/fc/omits = " + omits.dump() + " is illegal; legal: an array of fwd, dgrad,");
  }
  const auto coverage = [](const char* text, const char* refusal) {
    check_refused([&](Draft& d) { d.metadata["coverage"] = text; }, refusal);
  };
  coverage("{}", "coverage.early is missing");
  coverage(R"({"early": {"macs": 0}})",
           "coverage.early.macs = 0 is illegal; legal: an integer of 1..");
  coverage(R"({"early": {"macs": 5, "captured_macs": 6}})",
           "coverage.early.captured_macs = 6 is illegal; legal: an integer of 0..5");
  coverage(R"({"early": {"macs": 5, "captured_macs": 4, "not_captured": [{"name": "a\u0007"}]}})",
           "coverage.early.not_captured[0].name = ");
  check_refused([](Draft& d) { d.layers.push_back(d.layers[0]); }, "layers[2] = {\"dilation\"");
  check_refused([](Draft& d) { d.snapshots["early"]["loss"] = "low"; },
                "snapshots.early.loss = \"low\" is illegal; legal: a number or null");
  check_refused([](Draft& d) { d.snapshots = 1; }, "__metadata__ snapshots = 1 is illegal");
  check_refused(
      [](Draft& d) {
        d.metadata = 7;
        d.layers = nullptr;
        d.snapshots = nullptr;
      },
      "__metadata__ = 7 is illegal; legal: an object");
}

TEST_CASE("trace: parameters outside their range") {
  const auto conv = [](const char* key, const json& value, const char* legal) {
    check_refused(
        [&](Draft& d) { d.layers[0][key] = value; },
        std::string("early/conv1/") + key + " = " + value.dump() + " is illegal; legal: " + legal);
  };
  for (const char* key : {"stride", "dilation"}) {
    conv(key, json::array({0, 1}), "two integers of 1..2147483647");
    conv(key, json::array({1, -1}), "two integers of 1..2147483647");
    conv(key, json::array({1, 2147483648}), "two integers of 1..2147483647");
    conv(key, json::array({1, 1.5}), "two integers of 1..2147483647");
    conv(key, json::array({1}), "two integers of 1..2147483647");
    conv(key, json::array({1, 1, 1}), "two integers of 1..2147483647");
    conv(key, 1, "two integers of 1..2147483647");
  }
  conv("padding", json::array({-1, 0}), "two integers of 0..2147483647");
  conv("padding", json::array({0, 1e30}), "two integers of 0..2147483647");
  conv("groups", 0, "an integer of 1..2147483647");
  conv("groups", -2, "an integer of 1..2147483647");
  conv("groups", "2", "an integer of 1..2147483647");
  conv("groups", 3, "a divisor of C = 4 and of K = 6");
  conv("groups", 4, "a divisor of C = 4 and of K = 6");
}

TEST_CASE("trace: offsets that lie") {
  const std::string legal =
      " is illegal; legal: [begin, end], begin <= end <= 1124 (bytes of data)";
  const auto offsets = [&](const json& value, const std::string& text) {
    check_refused([&](Draft& d) { tensor(d, "early/fc/W")["data_offsets"] = value; },
                  "early/fc/W data_offsets = " + value.dump() + text);
  };
  const std::size_t bytes = good().data.size();
  REQUIRE(bytes == 1124);
  offsets(json::array({0, bytes + 1}), legal);
  offsets(json::array({bytes + 1, bytes + 1}), legal);
  offsets(json::array({200, 100}), legal);
  offsets(json::array({-4, 100}), legal);
  offsets(json::array({18446744073709551615U, 100}), legal);
  offsets(json::array({0, 18446744073709551615U}), legal);
  offsets(json::array({0, 1e20}), legal);
  offsets(json::array({0, 140.0}), legal);
  offsets(json::array({0}), legal);
  offsets("0-140", legal);
  check_refused([](Draft& d) { tensor(d, "early/fc/W")["data_offsets"][0] = 923; },
                "early/fc/W data_offsets = [923,1064] is illegal; legal: bytes that no other");
  check_refused(
      [](Draft& d) {
        d.header["extra"] = {{"data_offsets", {0, 1124}}};
      },
      "extra data_offsets = [0,1124] is illegal; legal: bytes that no other tensor has; "
      "early/conv1/A has some of these");
  check_refused([](Draft& d) { d.header["extra"] = 1; }, "extra = 1 is illegal; legal: an object");
}

TEST_CASE("trace: tensors whose type, shape and bytes disagree") {
  const auto shape = [](const json& value, const std::string& legal) {
    check_refused([&](Draft& d) { tensor(d, "early/fc/W")["shape"] = value; },
                  "early/fc/W shape = " + value.dump() + " is illegal; legal: " + legal);
  };
  const std::string range = "dimensions of 1..2147483647, at most 2^62 elements";
  shape(json::array({0, 7}), range);
  shape(json::array({-5, -7}), range);
  shape(json::array({5.0, 7}), range);
  shape(json::array({"5", 7}), range);
  shape(json::array({2147483648, 7}), range);
  shape(json::array({2147483647, 2147483647, 2147483647}), range);
  shape(35, range);
  shape(json::array({5, 8}), "the 140 bytes of its data_offsets as F32");
  shape(json::array({2147483647, 2147483647}), "the 140 bytes of its data_offsets as F32");
  shape(json::array(), "the 140 bytes of its data_offsets as F32");
  check_refused([](Draft& d) { tensor(d, "early/fc/W")["dtype"] = "F16"; },
                "early/fc/W dtype = \"F16\" is illegal; legal: F32 or BF16");
  check_refused([](Draft& d) { tensor(d, "early/fc/W")["dtype"] = 32; },
                "early/fc/W dtype = 32 is illegal; legal: a string");
  check_refused([](Draft& d) { tensor(d, "early/fc/W")["dtype"] = "BF16"; },
                "early/fc/W shape = [5,7] is illegal; legal: the 140 bytes of its data_offsets as");
  check_refused(
      [](Draft& d) {
        json& offsets = tensor(d, "early/fc/GO")["data_offsets"];
        offsets[1] = offsets[1].get<int>() + 1;
        d.data += "?";
      },
      "early/fc/GO shape = [3,5] is illegal; legal: the 61 bytes of its data_offsets as F32");
}

TEST_CASE("trace: results that are not as their operation makes them") {
  check_refused(
      [](Draft& d) {
        d.add("early/fc/O", "F32", {5, 3});
      },
      "early/fc/O shape = [5,3] is illegal; legal: [3, 5]");
  check_refused(
      [](Draft& d) {
        d.add("early/fc/GA", "F32", {3, 5});
      },
      "early/fc/GA shape = [3,5] is illegal; legal: [3, 7]");
  check_refused(
      [](Draft& d) {
        d.add("early/fc/GW", "F32", {5, 7});
        tensor(d, "early/fc/GW")["dtype"] = "I32";
      },
      "early/fc/GW dtype = \"I32\" is illegal; legal: F32 or BF16");
}

TEST_CASE("trace: shapes of a layer that disagree") {
  // Every tensor is right in itself: it is replaced, data and all.
  const auto replaced = [](const char* name, const std::vector<std::int64_t>& shape,
                           const std::string& legal) {
    check_refused([&](Draft& d) { d.add(std::string("early/") + name, "F32", shape); },
                  std::string("early/") + name + " shape = " + td::sim::to_string(shape) +
                      " is illegal; legal: " + legal);
  };
  replaced("conv1/A", {2, 4, 30}, "4 dimensions for conv2d");
  replaced("conv1/W", {6, 2}, "4 dimensions for conv2d");
  replaced("conv1/GO", {2, 6, 3, 3, 1}, "4 dimensions for conv2d");
  replaced("conv1/W", {6, 4, 3, 2}, "dimension 1 of 2 (channels of A in a group)");
  replaced("conv1/GO", {1, 6, 3, 3}, "dimension 0 of 2 (that of A)");
  replaced("conv1/GO", {2, 8, 3, 3}, "dimension 1 of 6 (filters of W)");
  replaced("conv1/GO", {2, 6, 4, 3}, "dimension 2 of 3 (from A, W, stride, padding, dilation)");
  replaced("conv1/GO", {2, 6, 3, 2}, "dimension 3 of 3 (from A, W, stride, padding, dilation)");
  replaced("conv1/W", {6, 2, 9, 2}, "a kernel that reaches at most 8 along y (now 9)");
  replaced("conv1/W", {6, 2, 3, 4}, "a kernel that reaches at most 5 along x (now 7)");
  replaced("fc/A", {3, 7, 1, 1}, "2 dimensions for linear");
  replaced("fc/W", {35}, "2 dimensions for linear");
  replaced("fc/W", {5, 8}, "dimension 1 of 7 (channels of A in a group)");
  replaced("fc/GO", {4, 5}, "dimension 0 of 3 (that of A)");
  replaced("fc/GO", {3, 6}, "dimension 1 of 5 (filters of W)");
}

TEST_CASE("trace: padding so large that its elements cannot be counted") {
  // The strides keep P and Q at 3. The second value is too large for GO alone.
  for (const std::int64_t padding : {2147483647, 354334802}) {
    const std::string text = td::sim::to_string(td::sim::Shape{padding, padding});
    check_refused(
        [&](Draft& d) {
          d.layers[0]["padding"] = d.layers[0]["stride"] = {padding, padding};
        },
        "early/conv1/padding = " + text + " is illegal; legal: padded tensors of at most");
  }
}
