#include "penstock/config/read_door.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "penstock/config/address.hpp"

namespace penstock::config {
namespace {

constexpr std::string_view kMarks = "._-";
constexpr std::size_t kLongestFile = 64;

/// As a drawing names a file in the folder of keys.
bool is_file(std::string_view text) {
  if (text.empty() || text.front() == '.' || text.size() > kLongestFile) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

bool read_address(const std::string& text, const std::string& pointer, Door& door,
                  Problems& problems) {
  const std::optional<AnyAddress> address = parse_any(text);
  if (!address) {
    problems.add(pointer, "is no address with a port that can be listened at",
                 "use 127.0.0.1:PORT, 0.0.0.0:PORT or the number of an address of this host, "
                 "[::1]:PORT and the like, or localhost:PORT; PORT 0 (any) to 65535");
    return false;
  }
  door.host = address->host;
  door.port = address->port;
  door.beyond = address->beyond;
  return true;
}

void read_file(ObjectReader& files, std::string_view key, std::string& file, Problems& problems) {
  const auto text = files.text(key, true);
  if (!text) return;
  file = *text;
  if (is_file(file)) return;
  problems.add(files.at(key), "names no file in the folder of keys",
               "use letters, digits and ._-, no dot first, at most 64 characters");
}

void read_tls(const json::Json& value, const std::string& pointer, Door& door, Problems& problems) {
  if (value == "keys") {
    door.tls = Door::Tls::keys;
  } else if (value.is_object()) {
    door.tls = Door::Tls::files;
    ObjectReader files(value, pointer, problems);
    read_file(files, "cert", door.certificate, problems);
    read_file(files, "key", door.key, problems);
    files.finish();
  } else if (value != "off") {
    problems.add(pointer, "says not what secures it", R"(use "keys", "off" or {"cert", "key"})");
  }
}

}  // namespace

std::optional<Door> read_door(const json::Json& value, const std::string& pointer,
                              Problems& problems) {
  Door door;
  bool decided = false;
  if (value.is_string()) {
    if (!read_address(value.get_ref<const std::string&>(), pointer, door, problems))
      return std::nullopt;
  } else {
    ObjectReader object(value, pointer, problems);
    const auto address = object.text("address", true);
    const auto auth = object.choice("auth", {"none", "bearer"});
    const json::Json* const tls = object.optional("tls");
    object.finish();
    door.bearer = auth == 1;
    if (tls != nullptr) read_tls(*tls, object.at("tls"), door, problems);
    if (!address || !read_address(*address, object.at("address"), door, problems))
      return std::nullopt;
    decided = auth.has_value() && tls != nullptr;
  }
  if (door.beyond && !decided) {
    problems.add(pointer,
                 "is reached by other machines, and says not who may ask and what secures it",
                 R"(use {"address": ..., "auth": "bearer", "tls": "keys"}, or 127.0.0.1:PORT)");
  }
  return door;
}

}  // namespace penstock::config
