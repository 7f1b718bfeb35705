#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "penstock/flow/source/paced_source.hpp"
#include "penstock/flow/source/read_json.hpp"
#include "penstock/flow/source/source_reader.hpp"

namespace penstock::flow {

/// Makes an event of each line of a file: one JSON object a line (https://jsonlines.org). Blank
/// lines are passed over; a line that is not the message counts as an event that failed, and the
/// first of them are reported with their numbers. At the end of the file it ends, or starts again.
class FileSource final : public PacedSource {
 public:
  /// A longer line is not read into memory: it counts as a bad one.
  static constexpr std::size_t kLongestLine = std::size_t{1} << 20;
  /// Bad lines that are reported one by one.
  static constexpr std::uint64_t kMostReported = 20;

  struct Settings {
    ReadJson read = nullptr;
    /// From the folder the process works in, where it is relative.
    std::string path;
    bool loop = false;
    double per_second = kNoLimit;
    /// Takes a line of text for people; from the source's thread.
    std::function<void(const std::string& text)> say;
  };

  /// Without `read` and `say`.
  [[nodiscard]] static Settings read_from(SourceReader& in);

  FileSource(Flow& flow, Settings settings);
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  /// Stops.
  ~FileSource() override;

  [[nodiscard]] std::string_view kind() const noexcept override { return "file"; }
  /// Before start(): an empty text, or why the file cannot be read.
  [[nodiscard]] std::string open();
  [[nodiscard]] std::string prepare() override;

 private:
  enum class Line { good, too_long, none };

  [[nodiscard]] bool emit_next() noexcept override;
  /// The next line that is not blank.
  [[nodiscard]] Line read_line();
  /// False at the end of the file, or when it cannot be read on.
  [[nodiscard]] bool fill();
  [[nodiscard]] bool start_again();
  void take(const std::string& line);
  void report(const std::string& reason);

  const Settings settings_;
  int file_ = -1;
  std::string chunk_;
  std::size_t at_ = 0;  // in the chunk
  std::string line_;
  std::uint64_t number_ = 0;  // of the line, from 1
  std::uint64_t good_in_pass_ = 0;
  std::uint64_t good_ = 0;
  std::uint64_t bad_ = 0;
};

}  // namespace penstock::flow
