#include <charconv>

#include "http/hats.hpp"

namespace compare {
namespace {

constexpr char kSizeKey = 0x08;  // the field 1, a varint
constexpr int kNoSize = -1;

int size_by_hand(Form form, std::string_view bytes) {
  int size = kNoSize;
  if (form == Form::protobuf) {
    // One byte is as far as hats go.
    if (bytes.size() == 2 && bytes[0] == kSizeKey && bytes[1] >= 0) size = bytes[1];
    return size;
  }
  const std::size_t colon = bytes.find(':');
  if (colon == std::string_view::npos) return size;
  std::from_chars(bytes.data() + colon + 1, bytes.data() + bytes.size(), size);
  return size;
}

void append_text(char key, std::string_view text, std::string& out) {
  out += key;
  out += static_cast<char>(text.size());
  out += text;
}

}  // namespace

std::string hat_by_hand(Form form, std::string_view bytes) {
  const int size = size_by_hand(form, bytes);
  std::string hat;
  if (size == kNoSize) return hat;
  if (form == Form::protobuf) {
    constexpr char kColorKey = 0x12;
    constexpr char kNameKey = 0x1a;
    hat += kSizeKey;
    hat += static_cast<char>(size);
    append_text(kColorKey, kColor, hat);
    append_text(kNameKey, kName, hat);
    return hat;
  }
  hat = R"({"size":)";
  hat += std::to_string(size);
  hat += R"(,"color":")";
  hat += kColor;
  hat += R"(","name":")";
  hat += kName;
  hat += R"("})";
  return hat;
}

}  // namespace compare
