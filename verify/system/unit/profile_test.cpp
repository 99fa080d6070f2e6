// SPDX-License-Identifier: Apache-2.0
// Profiles: order of layers, results of tdsim, and what is refused.
#include "sim/system/profile/profile.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/support/error.hpp"

namespace {

class File {
 public:
  explicit File(const std::string& text)
      : path_((std::filesystem::temp_directory_path() / "td_profile_test.json").string()) {
    std::ofstream(path_) << text;
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string refusal(const std::string& nodes, const std::string& edges) {
  const File file(R"({"model": "m", "nodes": )" + nodes + R"(, "edges": )" + edges + "}");
  try {
    td::job::read_layer_profile(file.path());
  } catch (const td::UserError& error) {
    const std::string what = error.what();
    CHECK(what.rfind(file.path() + ": ", 0) == 0);
    return what.substr(file.path().size() + 2);
  }
  return "";
}

constexpr const char* kNodes =
    R"json([["n10", "ReLU", 3, 4, 5, 0], ["n2", "Conv2d(3, 8)", 1, 2, [5, 6], 8],
 ["n1", "Input", 9, 9, 9, 9], ["n3", "Add", 1, 1, 1, 0]])json";

}  // namespace

TEST_CASE("profile: layers in order of their numbers, without the input") {
  const File file(std::string(R"({"model": "m", "nodes": )") + kNodes +
                  R"(, "edges": [["n1", "n2"], ["n2", "n3"], ["n10", "n3"], ["n1", "n10"]]})");
  const auto profile = td::job::read_layer_profile(file.path());
  REQUIRE(profile.layers.size() == 3);
  CHECK(profile.layers[0].name == "n2 Conv2d");
  CHECK(profile.layers[1].name == "n10 ReLU");
  CHECK(profile.layers[2].name == "n3 Add");
  CHECK(profile.layers[0].activation_bytes == 11);
  CHECK(td::job::compute_seconds(profile) == doctest::Approx(0.012));
}

TEST_CASE("profile: what is no profile is refused") {
  CHECK(refusal(kNodes, R"([["n2", "n3"], ["n3", "n2"]])") ==
        "edges = (a cycle) is illegal; legal: a graph without cycles");
  CHECK(refusal(kNodes, R"([["n2", "n7"]])") ==
        R"(edges[0] = "n7" is illegal; legal: the id of a node)");
  CHECK(refusal(R"([["n1", "ReLU", -3, 4, 5, 0]])", "[]") ==
        "nodes[0].forward_ms = -3 is illegal; legal: a number of 0..1000000000000");
  CHECK(
      refusal(R"([["n1", "ReLU"]])", "[]") ==
      R"(nodes[0] = ["n1","ReLU"] is illegal; legal: [id, operation, forward ms, backward ms, bytes, bytes])");
  CHECK(refusal(R"([["n1", "R", 1, 1, 1, 1], ["n1", "R", 1, 1, 1, 1]])", "[]") ==
        R"(nodes[1] = ["n1","R",1,1,1,1] is illegal; legal: a node whose id no other has)");
  CHECK(refusal(R"([["n", "R", 1, 1, 1, 1]])", "[]") ==
        "id = n is illegal; legal: a name that ends in a number");
}
