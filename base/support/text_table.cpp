// SPDX-License-Identifier: Apache-2.0
#include "base/support/text_table.hpp"

#include <algorithm>
#include <cassert>

namespace td {

namespace {

/// Whether a byte of UTF-8 starts a code point.
bool starts(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

std::size_t places(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts));
}

/// The end of a text that is too long, which tells layers apart better than their beginning.
std::string shortened(const std::string& text, std::size_t most) {
  if (places(text) <= most) return text;
  std::size_t begin = text.size();
  for (std::size_t left = most - 2; left > 0; --left) {
    do --begin;
    while (!starts(text[begin]));
  }
  return ".." + text.substr(begin);
}

}  // namespace

void TextTable::add_column(const std::string& heading, Align align) {
  aligns_.push_back(align);
  lines_.front().push_back(heading);
}

void TextTable::add_row(std::vector<std::string> cells) {
  assert(cells.size() == aligns_.size());
  lines_.push_back(std::move(cells));
}

std::size_t TextTable::width(std::size_t column) const {
  std::size_t most = 0;
  for (const auto& cells : lines_) most = std::max(most, places(cells[column]));
  return most;
}

void TextTable::fit(std::size_t width, std::size_t column, std::size_t least) {
  assert(least >= 2);
  std::size_t all = aligns_.size() - 1;
  for (std::size_t c = 0; c < aligns_.size(); ++c) all += this->width(c);
  if (all <= width) return;
  const std::size_t now = this->width(column);
  const std::size_t excess = all - width;
  const std::size_t most = std::max(least, now > excess ? now - excess : 0);
  for (auto& cells : lines_) cells[column] = shortened(cells[column], most);
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < aligns_.size(); ++c) widths.push_back(width(c));
  std::string result;
  for (const auto& cells : lines_) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string filling(widths[c] - places(cells[c]), ' ');
      if (c > 0) line += ' ';
      line += aligns_[c] == Align::left ? cells[c] + filling : filling + cells[c];
    }
    result += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return result;
}

}  // namespace td
