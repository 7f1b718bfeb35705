#include <charconv>
#include <cstring>

#include "penstock/base/base64.hpp"
#include "penstock/base/utf8.hpp"
#include "penstock/json/reader.hpp"

namespace penstock::json {

namespace {

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | code >> 6U);
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    put(0xE0U | code >> 12U);
    put(0x80U | (code >> 6U & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | code >> 18U);
    put(0x80U | (code >> 12U & 0x3FU));
    put(0x80U | (code >> 6U & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

}  // namespace

std::size_t JsonReader::plain_until(std::size_t from) const noexcept {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  // Not 0 when a byte is less than `bound` ("hasless" of Anderson's Bit Twiddling Hacks).
  const auto has_less = [](std::uint64_t bytes, std::uint64_t bound) {
    return (bytes - kOnes * bound) & ~bytes & kHigh;
  };
  for (; text_.size() - from >= 8; from += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text_.data() + from, 8);
    if (((eight & kHigh) | has_less(eight, 0x20) | has_less(eight ^ kOnes * '"', 1) |
         has_less(eight ^ kOnes * '\\', 1)) != 0) {
      break;
    }
  }
  while (from < text_.size() && text_[from] != '"' && text_[from] != '\\' &&
         static_cast<unsigned char>(text_[from]) >= 0x20 &&
         static_cast<unsigned char>(text_[from]) < 0x80) {
    ++from;
  }
  return from;
}

bool JsonReader::text(std::string& value) {
  value.clear();
  if (kind() != Kind::text) return mismatch("a string");
  ++at_;
  for (;;) {
    const std::size_t from = at_;
    at_ = plain_until(at_);
    value.append(text_, from, at_ - from);
    if (at_ == text_.size()) return fail("the text has no end");
    const char c = text_[at_];
    if (c == '"') {
      ++at_;
      return true;
    }
    if (c == '\\') {
      if (!escape(value)) return false;
      continue;
    }
    const std::size_t length = utf8_length(text_.substr(at_));
    if (length == 0) return fail("the text is no UTF-8 here");
    if (length == 1) return fail("a control character is in the text");
    value.append(text_, at_, length);
    at_ += length;
  }
}

bool JsonReader::escape(std::string& value) {
  ++at_;
  if (at_ == text_.size()) return fail("the text has no end");
  switch (text_[at_]) {
    case '"':
    case '\\':
    case '/':
      value += text_[at_++];
      return true;
    case 'b':
      value += '\b';
      break;
    case 'f':
      value += '\f';
      break;
    case 'n':
      value += '\n';
      break;
    case 'r':
      value += '\r';
      break;
    case 't':
      value += '\t';
      break;
    case 'u': {
      ++at_;
      std::uint32_t code = 0;
      if (!four_hex(code)) return false;
      if (code >= 0xD800 && code < 0xDC00) {
        std::uint32_t low = 0;
        if (text_.substr(at_, 2) != "\\u") return fail("half of a character pair is missing");
        at_ += 2;
        if (!four_hex(low)) return false;
        if (low < 0xDC00 || low > 0xDFFF) return fail("half of a character pair is missing");
        code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
      } else if (code >= 0xDC00 && code < 0xE000) {
        return fail("half of a character pair is missing");
      }
      append_utf8(value, code);
      return true;
    }
    default:
      return fail("no such escape");
  }
  ++at_;
  return true;
}

bool JsonReader::four_hex(std::uint32_t& value) {
  const std::string_view digits = text_.substr(at_, 4);
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.size() != 4 || read.ec != std::errc{} || read.ptr != digits.data() + 4) {
    return fail("four hex digits are missing here");
  }
  at_ += 4;
  return true;
}

bool JsonReader::bytes(std::string& value) {
  if (!text(scratch_)) return false;
  value.clear();
  return from_base64(scratch_, value) ? true : fail_here("is no base64");
}

}  // namespace penstock::json
