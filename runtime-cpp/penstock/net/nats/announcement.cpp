#include "penstock/net/nats/announcement.hpp"

#include <variant>

#include "penstock/json/document.hpp"
#include "penstock/json/plain_writer.hpp"

namespace penstock::net::nats {
namespace {

constexpr int kVersion = 1;
constexpr std::size_t kLongestText = 100;

/// The text at `key`; none: there is none, or a longer one.
const std::string* text_at(const json::Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return nullptr;
  const auto& text = found->get_ref<const std::string&>();
  return text.size() <= kLongestText ? &text : nullptr;
}

bool is_instance(const std::string& text) {
  return text.size() == Announcement::kInstanceDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool read_addresses(const json::Json& object, std::vector<std::string>& addresses) {
  const auto listed = object.find("addresses");
  if (listed == object.end() || !listed->is_array() ||
      listed->size() > Announcement::kMostAddresses)
    return false;
  for (const json::Json& each : *listed) {
    if (!each.is_string() || each.get_ref<const std::string&>().size() > kLongestText) return false;
    addresses.push_back(each.get<std::string>());
  }
  return true;
}

}  // namespace

std::string write_announcement(const Announcement& announcement) {
  json::PlainWriter written;
  written.open('{');
  if (!announcement.gone) written.list("addresses", announcement.addresses);
  written.field("binary", announcement.binary);
  if (announcement.gone) written.field("gone", true);
  written.field("instance", announcement.instance);
  written.field("penstock", kVersion);
  return written.end();
}

std::optional<Announcement> read_announcement(std::string_view json) {
  const auto document = json::parse_document(json);
  const auto* const object = std::get_if<json::Json>(&document);
  if (object == nullptr || !object->is_object()) return std::nullopt;
  const auto version = object->find("penstock");
  if (version == object->end() || json::whole_number(*version) != kVersion) return std::nullopt;
  const std::string* const binary = text_at(*object, "binary");
  const std::string* const instance = text_at(*object, "instance");
  if (binary == nullptr || instance == nullptr || !is_instance(*instance)) return std::nullopt;
  Announcement announcement{*binary, *instance, {}, false};
  const auto gone = object->find("gone");
  announcement.gone = gone != object->end() && gone->is_boolean() && gone->get<bool>();
  if (!announcement.gone && !read_addresses(*object, announcement.addresses)) return std::nullopt;
  return announcement;
}

}  // namespace penstock::net::nats
