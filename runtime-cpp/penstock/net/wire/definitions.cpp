#include "penstock/net/wire/definitions.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "penstock/base/utf8.hpp"
#include "penstock/net/wire/bytes.hpp"
#include "penstock/net/wire/definition_lines.hpp"

namespace penstock::net::wire {
namespace {

/// Pairs of messages that are compared, at most: a peer chooses its definitions.
constexpr std::size_t kMostPairs = 4096;

/// One end's, and who that is.
struct End {
  const std::vector<DefinedLine>& lines;
  bool is_here;
  [[nodiscard]] const char* where() const { return is_here ? "here" : "there"; }
};

/// Two messages, or enums, that are to mean the same, and how they were come to.
struct Pair {
  std::size_t written = 0;
  std::size_t read = 0;
  std::size_t from = kNoLine;  ///< the pair whose field it is
  std::string_view field;
};

class Comparison {
 public:
  Comparison(End writer, End reader, bool is_kept)
      : writer_(writer),
        reader_(reader),
        is_kept_(is_kept),
        written_buffers_(with_buffers(writer.lines)) {
    add({});
  }

  std::string first_difference() {
    // It grows while it is walked through: those of one depth before those of the next.
    for (std::size_t at = 0; at < pairs_.size(); ++at) {
      if (at == kMostPairs) return "they hold too many others to be compared";
      const DefinedLine& written = writer_.lines[pairs_[at].written];
      const DefinedLine& read = reader_.lines[pairs_[at].read];
      std::string why = written.is_enum ? enums(at, written, read) : fields(at, written, read);
      if (!why.empty()) return why;
    }
    return {};
  }

 private:
  void add(const Pair& pair) {
    if (met_.emplace(pair.written, pair.read).second) pairs_.push_back(pair);
  }

  [[nodiscard]] std::string path(std::size_t at, std::string_view name) const {
    std::string text(name);
    for (; pairs_[at].from != kNoLine; at = pairs_[at].from) {
      text.insert(0, 1, '.').insert(0, pairs_[at].field);
    }
    return text;
  }
  struct Difference {
    std::string_view verb;  ///< ` is `
    std::string written;
    std::string read;
  };
  [[nodiscard]] std::string differs(std::size_t at, std::string_view name,
                                    const Difference& what) const {
    const bool writes_here = writer_.is_here;
    return path(at, name) + std::string(what.verb) + (writes_here ? what.written : what.read) +
           " here and " + (writes_here ? what.read : what.written) + " there";
  }

  // A value that has another number would be taken for another one; one more is a number.
  std::string enums(std::size_t at, const DefinedLine& written, const DefinedLine& read) const {
    for (const auto& [name, number] : written.values) {
      const auto found = read.values.find(name);
      if (found == read.values.end() || found->second == number) continue;
      return differs(at, name, {" is ", std::to_string(number), std::to_string(found->second)});
    }
    return {};
  }

  std::string fields(std::size_t at, const DefinedLine& written, const DefinedLine& read) {
    for (const DefinedField& field : written.fields) {
      const DefinedField* const found = by_tag(read, field.tag);
      std::string why =
          found == nullptr ? skipped(at, field, read) : meets(at, field, *found, {written, read});
      if (!why.empty()) return why;
    }
    return missing(at, written, read);
  }

  /// One that only the reader knows, and cannot be without: an array has its values, and of a value
  /// that is to go on nothing may be lost, but of the frame around it.
  std::string missing(std::size_t at, const DefinedLine& written, const DefinedLine& read) const {
    for (const DefinedField& field : read.fields) {
      if (by_tag(written, field.tag) != nullptr) continue;
      if (field.many.size() > 1)
        return path(at, field.name) + " is " + shape(reader_, field) + " that only " +
               reader_.where() + " are known";
      if (is_kept_ && at != 0)
        return path(at, field.name) + " would be lost: it is known " + reader_.where() + " alone";
    }
    return {};
  }

  /// One that the reader does not know by its tag.
  std::string skipped(std::size_t at, const DefinedField& field, const DefinedLine& read) const {
    if (const DefinedField* const moved = by_name(read, field.name))
      return has_another_tag(at, field, *moved);
    if (!holds_buffers(field)) return {};
    return path(at, field.name) + " holds a buffer, and is known " + writer_.where() + " alone";
  }

  struct Both {
    const DefinedLine& written;
    const DefinedLine& read;
  };
  std::string meets(std::size_t at, const DefinedField& written, const DefinedField& read,
                    const Both& of) {
    if (std::string why = moved(at, written, read, of); !why.empty()) return why;
    if (shape(writer_, written) != shape(reader_, read)) {
      return differs(at, named(written, read),
                     {" is ", shape(writer_, written), shape(reader_, read)});
    }
    if (excludes_more(written, read, of)) {
      return path(at, written.name) + " excludes others " + reader_.where() + ", by \"" +
             std::string(read.oneof) + "\", which may be set beside it " + writer_.where();
    }
    if (written.line == kNoLine) return {};
    add({written.line, read.line, at, named(written, read)});
    return {};
  }

  /// Another name is one that was changed, unless either end has it at another tag as well.
  [[nodiscard]] std::string moved(std::size_t at, const DefinedField& written,
                                  const DefinedField& read, const Both& of) const {
    if (written.name == read.name) return {};
    const DefinedField* const there = by_name(of.read, written.name);
    if (there != nullptr) return has_another_tag(at, written, *there);
    const DefinedField* const before = by_name(of.written, read.name);
    return before != nullptr ? has_another_tag(at, *before, read) : std::string();
  }
  [[nodiscard]] std::string has_another_tag(std::size_t at, const DefinedField& written,
                                            const DefinedField& read) const {
    return differs(at, written.name,
                   {" has the tag ", std::to_string(written.tag), std::to_string(read.tag)});
  }

  /// As it is called here.
  [[nodiscard]] std::string_view named(const DefinedField& written,
                                       const DefinedField& read) const {
    return writer_.is_here ? written.name : read.name;
  }

  // The reader keeps one of those that its oneof has, so the writer may set no more.
  static bool excludes_more(const DefinedField& written, const DefinedField& read, const Both& of) {
    if (read.oneof.empty()) return false;
    return std::any_of(
        of.read.fields.begin(), of.read.fields.end(), [&](const DefinedField& other) {
          if (other.oneof != read.oneof || other.tag == read.tag) return false;
          const DefinedField* const beside = by_tag(of.written, other.tag);
          return beside != nullptr && (written.oneof.empty() || beside->oneof != written.oneof);
        });
  }

  /// What has to be the same at both ends, in words. One, and one that may be absent, are.
  static std::string shape(const End& end, const DefinedField& field) {
    std::string text;
    if (!field.key.empty()) {
      text = "a map by " + std::string(field.key) + " of ";
    } else if (field.many == "*") {
      text = "a list of ";
    } else if (field.many.size() > 1) {
      text = field.many.substr(1, field.many.size() - 2);
      text += " of ";
    }
    if (field.line == kNoLine) {
      text += field.type;
    } else {
      text += end.lines[field.line].is_enum ? "an enum" : "a message";
    }
    if (!field.encoding.empty()) text += " as " + std::string(field.encoding);
    return text;
  }

  [[nodiscard]] bool holds_buffers(const DefinedField& field) const {
    return field.line == kNoLine ? field.type == "buffer" : written_buffers_[field.line];
  }

  End writer_;
  End reader_;
  bool is_kept_;
  std::vector<bool> written_buffers_;
  std::vector<Pair> pairs_;
  std::set<std::pair<std::size_t, std::size_t>> met_;
};

/// What can be shown: parts of it become those of an error.
bool is_text(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (length == 0 || (first < 0x20 && first != '\n')) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool are_said(const Definitions& definitions) noexcept {
  return definitions.request.size() <= kLongestDefinitions &&
         definitions.answer.size() <= kLongestDefinitions;
}

}  // namespace

std::size_t size(const Definitions& definitions) noexcept {
  if (!are_said(definitions)) return sizeof(std::uint32_t);
  return sizeof(std::uint32_t) + definitions.request.size() + definitions.answer.size();
}

char* write(char* at, const Definitions& definitions) noexcept {
  if (!are_said(definitions)) return put(at, std::uint32_t{0});
  at = put(at, static_cast<std::uint32_t>(definitions.request.size()));
  return put_text(put_text(at, definitions.request), definitions.answer);
}

bool read_definitions(std::string_view body, Definitions& out) {
  Taker in(body);
  std::uint32_t bytes = 0;
  std::string_view request;
  if (!in.take(bytes) || !in.take(bytes, request)) return false;
  out.request = request;
  out.answer = in.left();
  return are_said(out) && is_text(out.request) && is_text(out.answer);
}

std::string why_unreadable(const BothDefinitions& definitions) {
  if (definitions.here.size() > kLongestDefinitions) return "they are too long to be compared";
  const auto here = lines_of(definitions.here);
  const auto there = lines_of(definitions.there);
  if (!here || !there) return std::string("they are not known ") + (here ? "there" : "here");
  const End at_home{*here, true};
  const End elsewhere{*there, false};
  const bool writes_here = definitions.writer == Writer::here;
  return Comparison(writes_here ? at_home : elsewhere, writes_here ? elsewhere : at_home,
                    definitions.is_kept)
      .first_difference();
}

}  // namespace penstock::net::wire
