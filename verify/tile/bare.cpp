// SPDX-License-Identifier: Apache-2.0
// tdbare TRACE CLOCKS: the simulation rate of the verilated tile alone, without SystemC, model or
// checks, on the operands that a replay of the trace's last forward pass sends.
#include <Vbare.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "base/support/error.hpp"
#include "sim/replay/row_feed.hpp"
#include "sim/replay/trace_source.hpp"
#include "tile_config.hpp"

namespace td::verify {
namespace {

static_assert(TD_A_BITS % (32 * TD_DEPTH) == 0 && TD_B_BITS % (32 * TD_DEPTH) == 0,
              "for tiles whose rows are whole words");

/// Passes taken from each layer: enough variety, and it stays in the cache as a replay's would.
constexpr std::int64_t kPasses = 40;

/// The rows of one side, one behind the other, so that any `depth` of them lie together.
struct Rows {
  std::vector<std::uint32_t> words;
  std::size_t stride = 0;

  const std::uint32_t* at(std::size_t row) const { return &words[row * stride]; }
};

/// What the replay would offer, laid out for every clock.
struct Offers {
  Rows a;
  Rows b;
  std::vector<std::uint32_t> last;            ///< bits of the rows offered from here
  std::vector<std::uint32_t> last_of_output;  ///< the same
  std::size_t rows = 0;
};

Rows collect(replay::RowFeed feed, replay::Side side, std::size_t rows, int port_bits) {
  std::vector<std::uint32_t> offered(static_cast<std::size_t>(port_bits / 32));
  Rows result;
  result.stride = offered.size() / TD_DEPTH;
  for (std::size_t row = 0; row < rows; ++row) {
    feed.copy(side, 1, offered);
    feed.take(side, 1);
    result.words.insert(result.words.end(), offered.begin(),
                        offered.begin() + static_cast<std::ptrdiff_t>(result.stride));
  }
  // The end goes on with the beginning.
  const std::vector<std::uint32_t> head(
      result.words.begin(), result.words.begin() + static_cast<std::ptrdiff_t>(offered.size()));
  result.words.insert(result.words.end(), head.begin(), head.end());
  return result;
}

Offers make_offers(const Config& config, const std::string& path) {
  const sim::Trace trace(path);
  replay::TraceSelection selection;
  selection.snapshot = trace.snapshots().back().name;
  selection.op = "fwd";
  selection.passes = kPasses;
  replay::TraceSource source(trace, config, selection);
  replay::RowFeed feed(config);
  for (replay::Pass pass; source.next(pass);) feed.append(pass.data);

  Offers offers;
  offers.rows = static_cast<std::size_t>(feed.available(replay::Side::b));
  offers.a = collect(feed, replay::Side::a, offers.rows, TD_A_BITS);
  offers.b = collect(feed, replay::Side::b, offers.rows, TD_B_BITS);
  for (std::size_t row = 0; row < offers.rows; ++row) {
    std::uint32_t last = 0;
    std::uint32_t last_of_output = 0;
    for (std::size_t ahead = 0; ahead < TD_DEPTH; ++ahead) {
      const int at = static_cast<int>((row + ahead) % offers.rows);
      last |= static_cast<std::uint32_t>(feed.last(at)) << ahead;
      last_of_output |= static_cast<std::uint32_t>(feed.last_of_output(at)) << ahead;
    }
    offers.last.push_back(last);
    offers.last_of_output.push_back(last_of_output);
  }
  return offers;
}

/// Clocks the tile at full rate; returns its steps.
std::uint64_t simulate(const Offers& offers, std::int64_t clocks) {
  Vbare tile;
  tile.rst_ni = 0;
  for (int level : {0, 1, 0}) {
    tile.clk_i = level != 0;
    tile.eval();
  }
  tile.rst_ni = 1;
  tile.dense_i = 0;
  tile.out_ready_i = 1;
  tile.a_valid_i = tile.b_valid_i = TD_DEPTH;
  std::size_t a_row = 0;
  std::size_t b_row = 0;
  for (std::int64_t clock = 0; clock < clocks; ++clock) {
    std::memcpy(tile.a_rows_i.m_storage, offers.a.at(a_row), TD_A_BITS / 8);
    std::memcpy(tile.b_rows_i.m_storage, offers.b.at(b_row), TD_B_BITS / 8);
    tile.b_last_i = static_cast<CData>(offers.last[b_row]);
    tile.b_last_of_output_i = static_cast<CData>(offers.last_of_output[b_row]);
    tile.clk_i = 0;
    tile.eval();
    a_row = (a_row + tile.a_ready_o) % offers.rows;
    b_row = (b_row + tile.b_ready_o) % offers.rows;
    tile.clk_i = 1;
    tile.eval();
  }
  return tile.cycles_o;
}

int run(int argc, char** argv) {
  if (argc != 3 || std::atoll(argv[2]) <= 0) throw UserError("tdbare: give TRACE and CLOCKS");
  const Config config = load_config(TD_CONFIG_FILE);
  const Offers offers = make_offers(config, argv[1]);
  const std::clock_t begin = std::clock();
  const std::uint64_t steps = simulate(offers, std::atoll(argv[2]));
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  fmt::print("configuration {} ({}), {} clocks, {:.0f} kilocycles per CPU second\n", config.name,
             TD_CONFIG_HASH, argv[2], static_cast<double>(steps) / 1000.0 / seconds);
  return kExitPass;
}

}  // namespace
}  // namespace td::verify

int main(int argc, char** argv) {
  try {
    return td::verify::run(argc, argv);
  } catch (const td::UserError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return td::kExitUserError;
  }
}
