// SPDX-License-Identifier: Apache-2.0
// One run of load and store engine: random descriptors, a memory with its moods, and what must come
// of it, byte by byte.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "verify/accelerator/axi_checker.hpp"
#include "verify/accelerator/axi_memory.hpp"
#include "verify/accelerator/dma/dma_model.hpp"
#include "verify/accelerator/dma/dma_transfer.hpp"

namespace td::verify {

/// What a run is disturbed by.
enum class Trouble { none, descriptor, bus, halt };

/// What was checked, to be sure that something was.
struct DmaCount {
  std::uint64_t bytes = 0, transfers = 0, fetched = 0, halts = 0, clocks = 0;
  std::uint64_t errors[16] = {};  ///< by code
};

class DmaRun {
 public:
  DmaRun(DmaModel& model, const DmaShape& shape, Trouble trouble, std::uint64_t seed);

  /// Returns what is wrong; nothing if all is well.
  std::vector<std::string> run(DmaCount& count);

 private:
  struct Engine {
    EngineSignals* signals = nullptr;
    std::vector<Transfer> transfers;
    std::size_t next = 0;    ///< to be offered
    std::size_t done = 0;    ///< told to be
    std::size_t fails = 0;   ///< the first that must; their number if none must
    unsigned code = 0;       ///< ... and its error
    bool bus_error = false;  ///< seen on the bus, before the halt
    bool stopped = false;    ///< by an error or the halt, before this clock
    unsigned late = 0;       ///< bursts that came onto the bus then
    bool settled() const { return signals->error != 0 || done == transfers.size(); }
  };
  using Bytes = std::vector<std::uint8_t>;
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  void prepare();
  void watch(Engine& engine);
  void draw_transfers(Engine& engine, bool store);
  void clock();
  void drive_engine(Engine& engine);
  void drive_fetch();
  void engine_edge(Engine& engine);
  void fetch_edge();
  void memories_edge();
  void counts_edge();
  void bus_edge();
  void judge(const Engine& engine, const char* name, unsigned bus_code);
  void expect_stores();
  void expect_loads();
  void open_rows_behind();
  void compare(const char* what, const Bytes& is, const Bytes& should, const Bytes& open);
  void fault(const std::string& text);
  /// Of a row in rows_.
  std::size_t row_place(std::size_t side, std::size_t row) const {
    return (side * shape_.operand_rows + row) * (shape_.row_bytes() + 1);
  }

  DmaModel& model_;
  DmaShape shape_;
  Trouble trouble_;
  Draw draw_;
  Blocks blocks_;
  AxiMemorySettings settings_;
  AxiMemory memory_;
  AxiChecker checker_;
  Window window_;
  DmaSignals s_;
  Engine load_, store_;
  Bytes image_, image_open_;  ///< memory as it should be; 1: it may be otherwise
  /// Operand memories, side A's first; behind each row its interleave.
  Bytes rows_, wanted_rows_, rows_open_;
  std::vector<std::uint32_t> results_;  ///< [tile][word][element]
  std::array<int, 4> reading_[2];       ///< first results of rows asked for, newest first, by set
  Bytes written_;                       ///< in the clock before
  std::uint64_t results_seen_ = 0, zeros_seen_ = 0, results_wanted_ = 0, zeros_wanted_ = 0;
  std::uint64_t written_seen_ = 0, written_wanted_ = 0;  ///< bytes
  std::uint64_t fetch_address_ = 0;
  unsigned fetch_left_ = 0;  ///< beats
  bool fetch_asks_ = false;
  std::uint64_t clocks_ = 0, halt_at_ = 0;
  unsigned late_beats_ = 0;  ///< written after the halt
  DmaCount count_;
  std::vector<std::string> faults_;
};

}  // namespace td::verify
