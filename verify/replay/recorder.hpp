// SPDX-License-Identifier: Apache-2.0
// Writes down what stands on a tile's pins in every clock, for another simulator to play.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace td::verify {

/// One line for each clock, ending at its rising edge: fields of whole hexadecimal digits between
/// underscores, as $readmemh takes them. When reset falls and rises comes first.
class Recorder {
 public:
  /// Resets fall and rise at multiples of this part of a clock.
  static constexpr int kPartsPerClock = 40;

  /// Throws UserError, here or in keep(), when the file cannot be written.
  explicit Recorder(std::string path);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();

  /// Reset changes in the clock whose line comes next; `part` is 1…kPartsPerClock - 1.
  void reset_falls(int part) { falls_ = part; }
  void reset_rises(int part) { rises_ = part; }

  /// Appends a field of `bits` bits: words, low bits first.
  void field(const std::vector<std::uint32_t>& words, int bits);
  void field(std::uint64_t value, int bits);

  /// Ends the line.
  void clock();

  /// All is recorded.
  void keep();

 private:
  [[noreturn]] void refuse() const;

  std::string path_;
  std::string temporary_;
  std::string fields_;
  std::string lines_;
  int falls_ = 0;
  int rises_ = 0;
};

}  // namespace td::verify
