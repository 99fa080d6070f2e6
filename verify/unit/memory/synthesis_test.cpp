// SPDX-License-Identifier: Apache-2.0
// Synthesis results: read and refused, those built in, and which of these a configuration takes.
#include "sim/memory/synthesis.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/configuration/preset.hpp"
#include "sim/memory/embedded.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/memory/synthesis_draft.hpp"

namespace {

using nlohmann::json;
using td::Config;
using td::find_config;
using td::parse_config;
using td::sim::built_in_syntheses;
using td::sim::load_synthesis;
using td::sim::stand_in_synthesis;
using td::sim::Synthesis;
using td::unit::Folder;
using td::unit::good_synthesis;
using td::unit::message_of;
using td::unit::write_synthesis;

/// What load_synthesis() says of the text, after the file's name.
std::string refusal(const json& text, const Config& config) {
  const Folder folder;
  const std::string path = write_synthesis(folder, text);
  const std::string what = message_of([&] { load_synthesis(path, config); });
  CAPTURE(what);
  CHECK(what.find('\n') == std::string::npos);
  CHECK(what.rfind(path + ": ", 0) == 0);
  return what.substr(std::min(what.size(), path.size() + 2));
}

}  // namespace

TEST_CASE("synthesis: results of the configuration are taken") {
  const Folder folder;
  const Config config = find_config("paper_bf16");
  json text = good_synthesis(config);
  text["area_um2"] = 5;  // others' members are ignored
  const Synthesis synthesis = load_synthesis(write_synthesis(folder, text), config);
  CHECK(synthesis.name == "paper_bf16");
  CHECK(synthesis.configuration == td::config_hash_text(config));
  CHECK(synthesis.clock_MHz == 500);
  CHECK(synthesis.library == "osu018_stdcells");
  CHECK(synthesis.corner == "typical");
  CHECK(synthesis.trace == "plain.safetensors");
  CHECK(synthesis.parts.dense_step_pJ == 1200.25);
  double cost = 0.5;
  for (const td::sim::StepPart& part : td::sim::kStepParts) {
    CHECK(synthesis.parts.dense.*part.value == cost);
    CHECK(synthesis.parts.sparse.*part.value == cost + 1);
    CHECK(synthesis.parts.gated.*part.value == cost + 0.5);
    CHECK(synthesis.parts.zero_gated.*part.value == cost + 0.25);
    ++cost;
  }
}

TEST_CASE("synthesis: a member that is missing or of another kind is refused") {
  const Config config = find_config("paper_bf16");
  const json good = good_synthesis(config);
  for (const auto& item : good.items()) {
    const std::string& key = item.key();
    json text = good;
    text.erase(key);
    CHECK(refusal(text, config) == key + " is missing");
    text[key] = nullptr;
    CHECK(refusal(text, config).rfind(key + " = null", 0) == 0);
    text[key] = json::array();
    CHECK(refusal(text, config).rfind(key + " = []", 0) == 0);
  }
  for (const std::string way : {"dense", "sparse", "gated", "zero_gated"}) {
    for (const td::sim::StepPart& part : td::sim::kStepParts) {
      const std::string field = "components." + way + "." + part.name;
      json text = good;
      text["components"][way].erase(part.name);
      CHECK(refusal(text, config) == field + " is missing");
      for (const json& value : {json(-1), json(2e9), json("1"), json(true)}) {
        text["components"][way][part.name] = value;
        CHECK(refusal(text, config).rfind(field + " = ", 0) == 0);
      }
    }
    json text = good;
    text["components"][way]["step"] = 0;
    CHECK(refusal(text, config) ==
          "components." + way + ".step = 0 is illegal; legal: a number above 0");
  }
  CHECK(refusal(json::array(), config) == "synthesis = [] is illegal; legal: an object");
}

TEST_CASE("synthesis: another format, another configuration and no clock are refused") {
  const Config config = find_config("paper_bf16");
  json text = good_synthesis(config);
  text["format"] = "tensordash-synthesis-3";
  CHECK(refusal(text, config) ==
        "format = \"tensordash-synthesis-3\" is illegal; legal: tensordash-synthesis-4");
  const Config other = find_config("paper_fp32");
  CHECK(refusal(good_synthesis(other), config) ==
        fmt::format("configuration = {} is illegal; legal: {}, the hash of paper_bf16",
                    td::config_hash_text(other), td::config_hash_text(config)));
  text = good_synthesis(config);
  text["clock_MHz"] = 0;
  CHECK(refusal(text, config) ==
        "clock_MHz = 0 is illegal; legal: a number above 0, at most 1000000");
}

TEST_CASE("synthesis: what is no JSON, and what is no file") {
  const Folder folder;
  const Config config = find_config("paper_bf16");
  const std::string broken = folder.file("broken.json");
  std::ofstream(broken) << "{";
  CHECK(message_of([&] { load_synthesis(broken, config); }).rfind(broken + ": synthesis", 0) == 0);
  CHECK(message_of([&] { load_synthesis(folder.file("none"), config); }) ==
        folder.file("none") +
            ": cannot be read: No such file or directory; legal: a readable JSON file of "
            "synthesis results");
}

TEST_CASE("synthesis: a tile that drops nothing has one way of working") {
  const Folder folder;
  for (const char* name : {"dense_bf16", "zero_gated_bf16"}) {
    const Config config = find_config(name);
    const json good = good_synthesis(config);
    json text = good;
    for (const char* way : {"sparse", "gated", "zero_gated"}) {
      text["components"][way] = good["components"]["dense"];
    }
    const json alike = text;
    CHECK(load_synthesis(write_synthesis(folder, alike), config).parts.zero_gated.step == 0.5);
    for (const char* way : {"sparse", "gated", "zero_gated"}) {
      text = alike;
      text["components"][way] = good["components"][way];
      CHECK(refusal(text, config) ==
            fmt::format("components = sparse, gated or zero_gated unlike dense is illegal; legal: "
                        "four times the same, as {} drops nothing",
                        name));
    }
  }
}

TEST_CASE("synthesis: a configuration is known whatever its name") {
  const Folder folder;
  const Config config = find_config("paper_bf16");
  Config renamed = config;
  renamed.name = "mine";
  REQUIRE(td::config_hash_text(renamed) != td::config_hash_text(config));
  const Synthesis synthesis =
      load_synthesis(write_synthesis(folder, good_synthesis(config)), renamed);
  CHECK(synthesis.is_of(config));
  CHECK(synthesis.is_of(renamed));
  Config deeper = renamed;
  deeper.depth = 2;
  CHECK_FALSE(synthesis.is_of(deeper));
}

TEST_CASE("synthesis: every file of constraints/synthesis/ is of the preset of its name") {
  std::set<std::string> names;
  REQUIRE(built_in_syntheses().size() == td::sim::syntheses().size());
  for (std::size_t i = 0; i < built_in_syntheses().size(); ++i) {
    const Synthesis& synthesis = built_in_syntheses()[i];
    CHECK(synthesis.name == td::sim::syntheses()[i].name);
    names.insert(synthesis.name);
    CHECK_MESSAGE(synthesis.configuration == td::config_hash_text(find_config(synthesis.name)),
                  "the preset is not the one that was synthesised; run scripts/ppa --config "
                      << synthesis.name << " and put its result into constraints/synthesis/"
                      << synthesis.name << ".json");
  }
  for (const char* name : {"paper_fp32", "paper_bf16"}) CHECK(names.count(name) == 1);
}

TEST_CASE("synthesis: components are the configuration's own, else those of the paper's tile") {
  const auto taken = [](const Config& config) { return stand_in_synthesis(config).name; };
  for (const Synthesis& synthesis : built_in_syntheses()) {
    CHECK(taken(find_config(synthesis.name)) == synthesis.name);
  }
  Config renamed = find_config("paper_fp32");
  renamed.name = "mine";
  CHECK(taken(renamed) == "paper_fp32");
  const auto with = [](const std::string& toml) {
    return parse_config("name = \"x\"\n" + toml, "x");
  };
  const std::string deep = "[tile.interconnect]\ndepth = 2\n[tile.numerics]\nformat = ";
  CHECK(taken(with(deep + "\"fp32\"")) == "paper_fp32");
  CHECK(taken(with(deep + "\"bf16\"")) == "paper_bf16");
  CHECK(taken(with(deep + "\"fp16\"")) == "paper_bf16");
}
