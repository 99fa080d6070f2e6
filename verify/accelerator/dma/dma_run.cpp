// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/dma/dma_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace td::verify {
namespace {

constexpr std::uint64_t kBytes = 65536;
constexpr std::uint64_t kFetched = 4096;  ///< bytes at the front that the other reader reads
constexpr std::uint64_t kMiddle = 36864;  ///< loads before it, stores behind it
constexpr std::uint64_t kHang = 100000;   ///< clocks
constexpr std::size_t kMostFaults = 5;
constexpr std::size_t kFull = 20;  ///< loads of full blocks

AxiMemorySettings draw_settings(Draw& draw, const DmaShape& shape, Trouble trouble, Blocks blocks) {
  AxiMemorySettings settings;
  settings.beat_bytes = shape.beat_bytes();
  settings.begin = draw.chance(0.2) ? (std::uint64_t{1} << 40) - kBytes : 0x4'8765'0000;
  settings.bytes = kBytes;
  settings.latency = static_cast<unsigned>(draw.below(30));
  settings.latency_spread = static_cast<unsigned>(draw.chance(0.5) ? 0 : draw.below(40));
  settings.bandwidth = draw.chance(0.7) ? 0 : shape.beat_bytes() * 700;
  settings.reads = static_cast<unsigned>(draw.between(1, 8));
  settings.writes = static_cast<unsigned>(draw.between(1, 8));
  settings.stall = draw.chance(0.3) ? 0 : draw.chance(0.5) ? 0.25 : 0.6;
  if (blocks == Blocks::full) settings.stall = 0;
  settings.reorder = draw.chance(0.7);
  settings.errors = trouble == Trouble::bus ? 0.05 : 0;
  settings.seed = draw.below(~std::uint64_t{0});
  return settings;
}

std::uint32_t draw_result(Draw& draw) {
  const auto bits = static_cast<std::uint32_t>(draw.below(std::uint64_t{1} << 32));
  switch (draw.below(9)) {
    case 0:
      return 0;
    case 5:
      return 1U << draw.below(32);  // each bit alone makes it no zero, but the sign
    case 1:
      return 0x80000000;
    case 2:
      return bits & 0x8000ffff;  // around what rounds to zero
    case 3:
      return bits | 0x7f800000;  // NaN
    case 4:
      return (bits & 0xffff0000) | 0x8000;  // ties
    default:
      return bits;
  }
}

}  // namespace

DmaRun::DmaRun(DmaModel& model, const DmaShape& shape, Trouble trouble, std::uint64_t seed)
    : model_(model),
      shape_(shape),
      trouble_(trouble),
      draw_(seed),
      blocks_(draw_.chance(0.7)   ? Blocks::any
              : draw_.chance(0.7) ? Blocks::sparse
                                  : Blocks::full),
      settings_(draw_settings(draw_, shape, trouble, blocks_)),
      memory_(settings_),
      checker_(shape.beat_bytes()) {}

void DmaRun::fault(const std::string& text) {
  if (faults_.size() < kMostFaults) faults_.push_back(fmt::format("clock {}: {}", clocks_, text));
}

void DmaRun::draw_transfers(Engine& engine, bool store) {
  engine.signals = store ? &s_.store : &s_.load;
  const std::uint64_t middle = settings_.begin + kMiddle;
  const Window half = store ? Window{middle, window_.end} : Window{window_.begin, middle};
  engine.fails = blocks_ == Blocks::full && !store ? kFull : draw_.below(6);
  for (std::size_t i = 0; i < engine.fails; ++i) {
    engine.transfers.push_back(draw_transfer(draw_, shape_, half, store, blocks_));
    // Stores that are wrong may change masks while loads read them.
    if (trouble_ == Trouble::descriptor) engine.transfers.back().packed = 0;
    if (trouble_ == Trouble::descriptor && draw_.chance(0.5)) {
      spoil(draw_, shape_, window_, engine.transfers.back());
    }
    const std::uint64_t beat = shape_.row_bytes();
    if (window_.begin % beat != 0 && draw_.chance(0.1)) {  // only its first bytes are outside
      engine.transfers.back().address = window_.begin / beat * beat;
    }
    if (!store && draw_.chance(0.1)) {  // up to the last row, whose beat may end outside
      Transfer& last = engine.transfers.back();
      last.segments = last.planes = 1;
      last.packed = 0;
      last.address = (window_.end / beat - last.rows) * beat;
    }
  }
}

void DmaRun::prepare() {
  const unsigned beat = shape_.row_bytes();
  for (auto& rows : reading_) rows.fill(-1);
  window_.begin = settings_.begin + kFetched + beat * draw_.below(40);
  window_.end = settings_.begin + kBytes - beat * draw_.between(1, 40);
  if (draw_.chance(0.3)) window_.begin += beat >> draw_.between(1, 5);  // any byte may be the first
  if (draw_.chance(0.3)) window_.end -= 1;                              // ... and the last
  draw_transfers(load_, false);
  draw_transfers(store_, true);
  image_.resize(kBytes);
  for (std::uint64_t i = 0; i < kBytes; ++i) {
    std::uint64_t byte = draw_.below(256);
    for (int k = 0; k < 5 && blocks_ == Blocks::sparse; ++k) byte &= draw_.below(256);
    image_[i] = memory_.at(settings_.begin + i) = static_cast<std::uint8_t>(byte);
  }
  image_open_.resize(kBytes);
  rows_.resize(row_place(2, 0));
  wanted_rows_ = rows_open_ = rows_;
  results_.resize(std::size_t{shape_.tiles} * shape_.result_words * shape_.segment);
  for (auto& result : results_) result = draw_result(draw_);
  memory_.watch_read(settings_.begin, settings_.begin + kFetched);
  for (Engine* engine : {&load_, &store_}) watch(*engine);
  halt_at_ = trouble_ == Trouble::halt ? draw_.below(500) : kNever;
  s_.window_begin = window_.begin;
  s_.window_end = window_.end;
  s_.write_data.resize(shape_.write_rows() * beat);
  s_.bus.w_data.resize(shape_.beat_bytes());
  s_.bus.aw_bytes = shape_.beat_bytes();
  s_.read_data.resize(std::size_t{4} * shape_.lanes * shape_.beat_rows);
}

/// Only bytes of legal bursts may be touched, and of those behind a block that does not add up:
/// that is found when they are on the way.
void DmaRun::watch(Engine& engine) {
  const DmaImage image = {image_, settings_.begin};
  const std::uint64_t row = shape_.row_bytes(), beat = shape_.beat_bytes();
  unsigned code = 0;
  for (std::size_t i = 0; i < engine.transfers.size() && code == 0; ++i) {
    const Transfer& t = engine.transfers[i];
    code = walk(shape_, t, window_, [&](std::uint64_t address, std::uint64_t) {
      if (t.store) {
        memory_.watch_written(address, address + row);
      } else if (t.packed > 0) {
        const std::uint64_t block = block_of(shape_, address);
        memory_.watch_read(block, block + t.packed * row);
      } else {
        memory_.watch_read(address / beat * beat, address / beat * beat + beat);
      }
    });
    if (engine.code != 0) continue;
    engine.code = walk(
        shape_, t, window_, [](std::uint64_t, std::uint64_t) {}, &image);
    if (engine.code != 0) engine.fails = i;
  }
}

void DmaRun::drive_engine(Engine& engine) {
  EngineSignals& signals = *engine.signals;
  if (signals.valid) return;  // held until it is taken
  for (auto& word : signals.desc) word = static_cast<std::uint32_t>(draw_.below(kNever));
  signals.valid = engine.next < engine.transfers.size() && !draw_.chance(settings_.stall);
  if (signals.valid) signals.desc = engine.transfers[engine.next].words();
}

void DmaRun::drive_fetch() {
  if (!fetch_asks_ && fetch_left_ == 0 && !s_.halt && draw_.chance(0.2)) {
    fetch_asks_ = true;
    const unsigned beat = shape_.beat_bytes();
    s_.fetch_ar_len = static_cast<unsigned>(draw_.below(64 / beat + 1));
    const std::uint64_t blocks = kFetched / (beat * (s_.fetch_ar_len + 1));
    fetch_address_ = draw_.below(blocks) * beat * (s_.fetch_ar_len + 1);
    fetch_address_ = fetch_address_ / 128 * 128;  // far from 4 KB
    s_.fetch_ar_addr = settings_.begin + fetch_address_;
  }
  s_.fetch_ar_valid = fetch_asks_;
  s_.fetch_r_ready = !draw_.chance(settings_.stall);
}

void DmaRun::clock() {
  memory_.drive(s_.bus);
  drive_engine(load_);
  drive_engine(store_);
  drive_fetch();
  s_.halt = clocks_ >= halt_at_;
  const bool zeros = draw_.chance(0.3);  // where no row is read
  for (auto& byte : s_.read_data) {
    byte = static_cast<std::uint8_t>(zeros ? 0 : draw_.below(256));
  }
  const std::size_t row = std::size_t{4} * shape_.lanes;
  for (unsigned set = 0; set < shape_.beat_rows; ++set) {
    if (reading_[1][set] < 0) continue;
    std::memcpy(&s_.read_data[set * row], &results_[static_cast<std::size_t>(reading_[1][set])],
                row);
  }
  model_.settle(s_, false);
  checker_.edge(s_.bus);
  memory_.edge(s_.bus);
  fetch_edge();
  memories_edge();
  counts_edge();
  bus_edge();
  engine_edge(load_);
  engine_edge(store_);
  // As the control of an accelerator does: an error halts everything, a little later.
  if (load_.signals->error + store_.signals->error != 0 && halt_at_ == kNever) {
    halt_at_ = clocks_ + draw_.between(1, 6);
  }
  model_.edge();
  ++clocks_;
}

/// How an engine ended.
void DmaRun::judge(const Engine& engine, const char* name, unsigned bus_code) {
  const unsigned error = engine.signals->error;
  ++count_.errors[error];
  if (engine.bus_error) {
    // Of a packed block it is told when its rows leave: a halt or a block before may come first.
    const bool unpacks = !engine.transfers.front().store && shape_.unpack_rows > 0;
    const bool first = unpacks && ((error == kPacked && engine.code == kPacked) ||
                                   (error == 0 && halt_at_ != kNever));
    if (error != bus_code && !first)
      fault(fmt::format("{}: error {} after one on the bus", name, error));
  } else if (error != 0) {
    if (error != engine.code || engine.done != engine.fails) {
      fault(fmt::format("{}: error {} after {} done, not {} after {}", name, error, engine.done,
                        engine.code, engine.fails));
    }
  } else if (halt_at_ == kNever && engine.code != 0) {
    fault(fmt::format("{}: error {} is not told", name, engine.code));
  }
}

std::vector<std::string> DmaRun::run(DmaCount& count) {
  prepare();
  for (int i = 0; i < 2; ++i) {
    memory_.drive(s_.bus);
    s_.bus.r_valid = s_.bus.b_valid = false;
    model_.settle(s_, true);
    model_.edge();
  }
  const auto quiet = [&] { return s_.load.quiet && s_.store.quiet && fetch_left_ == 0; };
  const auto ended = [&] {
    if (fetch_asks_ || !quiet()) return false;
    return halt_at_ == kNever ? load_.settled() && store_.settled() : clocks_ > halt_at_;
  };
  do {
    clock();
  } while (!ended() && clocks_ < kHang);
  if (clocks_ == kHang) fault("no end");
  if (!checker_.idle() || !memory_.idle()) fault("quiet, but bursts are on the way");
  judge(load_, "load", 6);
  judge(store_, "store", 7);
  expect_stores();
  expect_loads();
  Bytes memory(kBytes);
  for (std::uint64_t i = 0; i < kBytes; ++i) memory[i] = memory_.at(settings_.begin + i);
  compare("memory", memory, image_, image_open_);
  compare("operand memories", rows_, wanted_rows_, rows_open_);
  if (halt_at_ == kNever && (results_seen_ != results_wanted_ || zeros_seen_ != zeros_wanted_ ||
                             written_seen_ != written_wanted_)) {
    fault(fmt::format("{} results, {} zeros and {} bytes counted, not {}, {} and {}", results_seen_,
                      zeros_seen_, written_seen_, results_wanted_, zeros_wanted_, written_wanted_));
  }
  faults_.insert(faults_.end(), memory_.faults().begin(), memory_.faults().end());
  faults_.insert(faults_.end(), checker_.faults().begin(), checker_.faults().end());
  count.bytes += count_.bytes;
  count.transfers += load_.done + store_.done;
  count.fetched += count_.fetched;
  count.halts += halt_at_ != kNever;
  count.clocks += clocks_;
  for (unsigned i = 0; i < 16; ++i) count.errors[i] += count_.errors[i];
  return faults_;
}

}  // namespace td::verify
