#pragma once

#include <cstddef>
#include <string>

namespace penstock::nodes {

/// A file that lines are appended to, made when it is not there. One thread at a time.
class LineFile {
 public:
  /// `buffer`: bytes that are collected before they are written; 0: each line is written at once.
  /// Opens the file at the first line.
  explicit LineFile(std::string path, std::size_t buffer = 0)
      : path_(std::move(path)), buffer_(buffer) {}
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;
  /// Writes what is left.
  ~LineFile();

  /// Where the next line is put together; what is there already stays.
  [[nodiscard]] std::string& text() noexcept { return text_; }
  /// Ends the line. Throws Error with the reason when it cannot be written, which is then lost:
  /// `resource_exhausted` for a full disk, else `internal`. Where a part of it got into the file,
  /// the next one begins behind a line end nevertheless.
  void end_line();
  /// Writes what was collected. Throws as end_line().
  void flush();

 private:
  void open();

  const std::string path_;
  const std::size_t buffer_;
  std::string text_;
  int file_ = -1;
  bool torn_ = false;  // the file ends with a part of a line
};

}  // namespace penstock::nodes
