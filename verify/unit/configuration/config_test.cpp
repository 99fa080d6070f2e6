// SPDX-License-Identifier: Apache-2.0
// Configurations that are accepted: what is read is what was written, and it has one spelling.
#include "base/configuration/config.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>

#include "base/configuration/parameters.hpp"
#include "base/configuration/preset.hpp"
#include "sim/model/scheduler.hpp"
#include "verify/unit/configuration/random_config.hpp"

namespace {

using td::Config;
using td::Option;
using td::Parameter;
using td::unit::config_of;

const char* const kEverything = R"(
name = "all_of_it"
[tile]
lanes = 6
rows = 1
columns = 1
scheduling = "two_sided"
[tile.interconnect]
depth = 2
pattern = [[0, 0], [1, 2], [1, -1]]
levels = [[3], [0], [5], [1], [2], [4]]
[tile.numerics]
format = "fp16"
output = "bf16"
accumulators = 7
[tile.pipeline]
scheduler = 1
interconnect = 2
multiplier = 1
adder = 3
tree = 0
[tile.counters]
width = 48
wrap = false
[accelerator]
tiles = 17
fill_rows = 3
beat_rows = 4
collect_words = 2
outstanding = 6
[accelerator.sram]
banks = 5
bank_bytes = 600
[accelerator.scratchpad]
bank_bytes = 700
)";

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211U;
  }
  return hash;
}

void check_round_trip(const Config& config) {
  const std::string text = td::canonical_toml(config);
  CAPTURE(text);
  const Config again = td::parse_config(text, "canonical.toml");
  CHECK(td::canonical_toml(again) == text);
  CHECK(td::config_hash(again) == td::config_hash(config));
  CHECK(again.pattern == config.pattern);
  CHECK(again.options == config.options);
  CHECK(again.dropped == config.dropped);
  CHECK(again.levels == config.levels);
  for (const Parameter& parameter : td::parameters()) {
    if (parameter.get != nullptr) CHECK(parameter.get(again) == parameter.get(config));
  }
}

}  // namespace

TEST_CASE("config: every parameter that is given is read") {
  const Config config = td::parse_config(kEverything, "test.toml");
  CHECK(config.name == "all_of_it");
  CHECK(config.lanes == 6);
  CHECK(config.rows == 1);
  CHECK(config.columns == 1);
  CHECK(config.scheduling == td::Scheduling::two_sided);
  CHECK(config.depth == 2);
  CHECK(config.pattern == "own");
  CHECK(config.options == std::vector<Option>{{0, 0}, {1, 2}, {1, -1}});
  CHECK(config.levels == std::vector<td::Level>{{3}, {0}, {5}, {1}, {2}, {4}});
  CHECK(config.format == td::Format::fp16);
  CHECK(config.output == td::Format::bf16);
  CHECK(config.accumulators == 7);
  CHECK(config.scheduler_registers == 1);
  CHECK(config.interconnect_registers == 2);
  CHECK(config.multiplier_registers == 1);
  CHECK(config.adder_registers == 3);
  CHECK(config.tree_registers == 0);
  CHECK(config.counter_width == 48);
  CHECK(config.counter_wrap == 0);
  const td::Accelerator& machine = config.accelerator;
  CHECK(machine.tiles == 17);
  CHECK(machine.fill_rows == 3);
  CHECK(machine.beat_rows == 4);
  CHECK(machine.collect_words == 2);
  CHECK(machine.outstanding == 6);
  CHECK(machine.sram_banks == 5);
  CHECK(machine.sram_bank_bytes == 600);
  CHECK(machine.scratchpad_bank_bytes == 700);
}

TEST_CASE("config: what is not given has its default: the paper's accelerator") {
  const Config config = config_of("");
  CHECK(config.lanes == 16);
  CHECK(config.rows == 4);
  CHECK(config.columns == 4);
  CHECK(config.scheduling == td::Scheduling::one_sided);
  CHECK(config.depth == 3);
  CHECK(config.pattern == "step_first");
  CHECK(config.options.size() == 8);
  CHECK(config.levels.size() == 6);
  CHECK(config.format == td::Format::bf16);
  CHECK(config.output == td::Format::fp32);
  CHECK(config.accumulators == 1);
  const td::Accelerator& machine = config.accelerator;
  CHECK(machine.tiles == 16);
  CHECK(machine.fill_rows == 1);
  CHECK(machine.beat_rows == 1);
  CHECK(machine.collect_words == 1);
  CHECK(machine.outstanding == 64);
  CHECK(machine.sram_banks == 4);
  CHECK(machine.sram_bank_bytes == 256 * 1024);
  CHECK(machine.scratchpad_bank_bytes == 1024);
}

TEST_CASE("config: a named pattern is fitted, and what does not fit is listed") {
  const Config config = config_of("tile.lanes = 4\ntile.interconnect.depth = 2");
  CHECK(config.options == std::vector<Option>{{0, 0}, {1, -1}, {1, 0}, {1, 1}});
  CHECK(config.dropped == std::vector<Option>{{1, 3}, {2, -2}, {2, 0}, {2, 2}});
}

TEST_CASE("config: a dense tile has no pattern, no options, no levels and no multiplexers") {
  const Config config = config_of("tile.scheduling = \"dense\"");
  CHECK(config.pattern.empty());
  CHECK(config.options.empty());
  CHECK(config.levels.empty());
  CHECK(config.scheduler_registers == 0);
  CHECK(config.interconnect_registers == 0);
  const std::string text = td::canonical_toml(config);
  CHECK(text.find("pattern") == std::string::npos);
  CHECK(text.find("levels") == std::string::npos);
  CHECK(text.find("interconnect = ") == std::string::npos);
  CHECK(text.find("depth = 3") != std::string::npos);
}

TEST_CASE("config: levels need not be the colouring, as long as no level collides") {
  // Each lane reaches itself and, a row ahead, its right neighbour: {0,1} would be as good as this.
  const Config config = config_of(
      "tile.lanes = 4\n[tile.interconnect]\npattern = [[0, 0], [1, 1]]\nlevels = [[2, 0], [3], "
      "[1]]");
  CHECK(config.levels == std::vector<td::Level>{{2, 0}, {3}, {1}});
  CHECK(config_of("tile.lanes = 4\ntile.interconnect.pattern = [[0, 0], [1, 1]]").levels ==
        std::vector<td::Level>{{0, 1, 2, 3}});
}

TEST_CASE("config: own patterns up to 64 options, (0,0) alone at least") {
  std::string options = "[[0, 0]";
  for (int lane = 0; lane < 63; ++lane) options += ", [1, " + std::to_string(lane) + "]";
  const Config most = config_of("tile.lanes = 64\ntile.interconnect.pattern = " + options + "]");
  CHECK(most.options.size() == 64);
  CHECK(config_of("tile.interconnect.pattern = [[0, 0]]").options == std::vector<Option>{{0, 0}});
  CHECK(config_of("tile.interconnect.depth = 1\ntile.interconnect.pattern = [[0, 0]]")
            .options.size() == 1);
}

TEST_CASE("config: what the models hold in fixed arrays is what the table allows") {
  CHECK(td::find_parameter("tile.lanes")->maximum == 8 * sizeof(td::sim::LaneMask));
  CHECK(td::find_parameter("tile.interconnect.depth")->maximum == td::sim::kMaximumDepth);
}

TEST_CASE("config: parameters have different paths, a text, and are found by their path") {
  CHECK(td::parameters().size() == 28);
  for (const Parameter& parameter : td::parameters()) {
    CAPTURE(parameter.path());
    CHECK(td::find_parameter(parameter.path()) == &parameter);
    CHECK(!parameter.text.empty());
    CHECK(!parameter.legal().empty());
  }
  CHECK(td::find_parameter("lanes") == nullptr);
}

TEST_CASE("config: the canonical text of every preset reads back the same") {
  CHECK(td::presets().size() >= 8);
  for (const td::EmbeddedFile& preset : td::presets()) {
    CAPTURE(preset.name);
    const Config config = td::parse_config(preset.text, "preset.toml");
    CHECK(config.name == preset.name);
    check_round_trip(config);
  }
}

TEST_CASE("config: the canonical text of random configurations reads back the same") {
  std::mt19937 random(5);
  int dense = 0;
  int own = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Config config = td::unit::random_config(random);
    dense += config.is_dense() ? 1 : 0;
    own += config.pattern == "own" ? 1 : 0;
    check_round_trip(config);
  }
  CHECK(dense > 20);
  CHECK(own > 20);
}

TEST_CASE("config: the hash is FNV-1a of the tile's text, as 16 hexadecimal digits") {
  REQUIRE(fnv1a("") == 0xcbf29ce484222325U);  // the function's published values
  REQUIRE(fnv1a("foobar") == 0x85944171f73967e8U);
  std::map<std::string, std::string> text_of;
  std::mt19937 random(6);
  for (int trial = 0; trial < 50; ++trial) {
    const Config config = td::unit::random_config(random);
    const std::string text = td::tile_toml(config);
    const std::string hash = td::config_hash_text(config);
    CHECK(td::config_hash(config) == fnv1a(text));
    CHECK(hash.size() == 16);
    CHECK(std::stoull(hash, nullptr, 16) == td::config_hash(config));
    CHECK(text_of.emplace(hash, text).first->second == text);
  }
}

TEST_CASE("config: of two hashes, one tells tiles apart, the other what stands around them") {
  const Config plain = config_of("");
  for (const Parameter& parameter : td::parameters()) {
    if (parameter.set == nullptr) continue;
    CAPTURE(parameter.path());
    Config other = plain;
    parameter.set(other, parameter.get(plain) == parameter.minimum ? parameter.minimum + 1
                                                                   : parameter.minimum);
    const bool same_tile = td::config_hash_text(other) == td::config_hash_text(plain);
    const bool same_rest = td::accelerator_hash_text(other) == td::accelerator_hash_text(plain);
    CHECK(same_tile == !parameter.is_of_tile());
    CHECK(same_rest == parameter.is_of_tile());
  }
}

TEST_CASE("config: the accelerator's hash is of all its sizes, be they given or not") {
  // A size that is newer than stored hashes is not in them where it is at its default.
  const std::string newer = "unpack_rows = 0\n";
  for (const char* text :
       {"", "accelerator.fill_rows = 2\naccelerator.tiles = 3", "accelerator.unpack_rows = 1"}) {
    const Config config = config_of(text);
    const std::string canonical = td::canonical_toml(config);
    std::string sizes = canonical.substr(canonical.find("\n[accelerator]\n"));
    const std::size_t at = sizes.find(newer);
    CHECK((at == std::string::npos) == (config.accelerator.unpack_rows > 0));
    if (at != std::string::npos) sizes.erase(at, newer.size());
    CHECK(sizes.find("\nfill_rows = ") != std::string::npos);
    CHECK(std::stoull(td::accelerator_hash_text(config), nullptr, 16) == fnv1a(sizes));
  }
}

TEST_CASE("config: the text of a tile alone is that tile in the default accelerator") {
  const Config config =
      config_of("accelerator.tiles = 3\ntile.lanes = 4\naccelerator.fill_rows = 2");
  CHECK(td::tile_toml(config).find("accelerator") == std::string::npos);
  const Config tile = td::parse_config(td::tile_toml(config), "tile.toml");
  CHECK(tile.lanes == 4);
  CHECK(tile.accelerator.tiles == 16);
  CHECK(td::config_hash(tile) == td::config_hash(config));
}
