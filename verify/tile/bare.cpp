// SPDX-License-Identifier: Apache-2.0
// tdbare: the simulation rate of the verilated tile alone, without SystemC, model or checks.
#include <Vbare.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <vector>

#include "sim/arith.hpp"
#include "tile_config.hpp"
#include "verify/replay/row_feed.hpp"

namespace {

/// Rows of a stream, as in a 3x3 convolution over 128 channels.
constexpr int kStreamRows = 72;

/// Random rows, half of side B's elements zero.
td::sim::PassData random_pass(const td::Config& config) {
  std::mt19937_64 random(1);
  td::sim::PassData pass;
  pass.segment_rows = {kStreamRows};
  pass.dense = {false};
  pass.a.resize(static_cast<std::size_t>(kStreamRows * config.columns * config.lanes));
  pass.b.resize(static_cast<std::size_t>(kStreamRows * config.rows * config.lanes));
  const auto value = [&] {
    const float unit = static_cast<float>(random() >> 40) * 0x1p-24F;
    return td::sim::narrow(config.format, 2.0F * unit - 1.0F);
  };
  for (std::uint32_t& bits : pass.a) bits = value();
  for (std::uint32_t& bits : pass.b) bits = random() % 2 == 0 ? 0 : value();
  return pass;
}

/// What is offered when the next row is row t of the stream, for every t.
std::vector<std::vector<std::uint32_t>> offers(const td::Config& config,
                                               const td::sim::PassData& pass, td::verify::Side side,
                                               int port_bits) {
  td::verify::RowFeed feed(config);
  feed.append(pass);
  feed.append(pass);
  std::vector<std::vector<std::uint32_t>> result;
  for (int t = 0; t < kStreamRows; ++t) {
    result.emplace_back(static_cast<std::size_t>((port_bits + 31) / 32));
    feed.copy(side, config.depth, result.back());
    feed.take(side, 1);
  }
  return result;
}

void run(std::int64_t clocks) {
  static_assert(TD_A_BITS > 64 && TD_B_BITS > 64, "for tiles with wide ports");
  const td::Config config = td::load_config(TD_CONFIG_FILE);
  const td::sim::PassData pass = random_pass(config);
  const auto a = offers(config, pass, td::verify::Side::a, TD_A_BITS);
  const auto b = offers(config, pass, td::verify::Side::b, TD_B_BITS);

  Vbare tile;
  const auto edge = [&](int level) {
    tile.clk_i = static_cast<unsigned char>(level);
    tile.eval();
  };
  tile.rst_ni = 0;
  edge(0);
  edge(1);
  edge(0);
  tile.rst_ni = 1;
  tile.dense_i = 0;
  tile.out_ready_i = 1;
  tile.a_valid_i = tile.b_valid_i = static_cast<unsigned char>(config.depth);
  std::size_t a_row = 0;
  std::size_t b_row = 0;
  const std::clock_t begin = std::clock();
  for (std::int64_t clock = 0; clock < clocks; ++clock) {
    std::memcpy(tile.a_rows_i.m_storage, a[a_row].data(), a[a_row].size() * 4);
    std::memcpy(tile.b_rows_i.m_storage, b[b_row].data(), b[b_row].size() * 4);
    const std::size_t to_last = kStreamRows - 1 - b_row;
    tile.b_last_i = tile.b_last_of_output_i = static_cast<unsigned char>(
        to_last < static_cast<std::size_t>(config.depth) ? 1u << to_last : 0u);
    tile.eval();  // for the new inputs
    a_row = (a_row + tile.a_ready_o) % kStreamRows;
    b_row = (b_row + tile.b_ready_o) % kStreamRows;
    edge(1);
    edge(0);
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  fmt::print("configuration {} ({}), {} clocks, {:.0f} kilocycles per CPU second\n", config.name,
             TD_CONFIG_HASH, clocks, static_cast<double>(tile.cycles_o) / 1000.0 / seconds);
}

}  // namespace

int main(int argc, char** argv) {
  run(argc > 1 ? std::atoll(argv[1]) : 100000);
  return 0;
}
