#include <charconv>

#include "penstock/base/utf8.hpp"
#include "penstock/codec/base64.hpp"
#include "penstock/codec/json_reader.hpp"

namespace penstock::codec {

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

bool JsonReader::text(std::string& value) {
  value.clear();
  if (kind() != Kind::text) return mismatch("a text");
  ++at_;
  for (;;) {
    // What needs no second look, in one piece.
    const std::size_t from = at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' &&
           static_cast<unsigned char>(text_[at_]) >= 0x20 &&
           static_cast<unsigned char>(text_[at_]) < 0x80) {
      ++at_;
    }
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

}  // namespace penstock::codec
