#include "penstock/net/remote/discovery/file_discovery.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <variant>

#include "penstock/json/document.hpp"
#include "penstock/net/remote/discovery/told_place.hpp"

namespace penstock::net {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 20U;

std::string said(int error) { return std::generic_category().message(error); }

/// All of a regular file. Throws std::runtime_error.
std::string content_of(const Descriptor& file) {
  std::string text;
  std::size_t size = 0;
  for (;;) {
    if (size == kLargestFile) throw std::runtime_error("has more than 1 MiB");
    text.resize(size == 0 ? std::size_t{4096} : std::min(2 * size, kLargestFile));
    const ssize_t count = ::read(file.number(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::runtime_error("cannot be read: " + said(errno));
    size += static_cast<std::size_t>(count);
    if (count == 0) break;
  }
  text.resize(size);
  return text;
}

std::vector<std::string> addresses_in(const json::Json& list, const std::string& binary) {
  if (!list.is_array()) throw std::runtime_error("has no list of addresses at \"" + binary + "\"");
  std::vector<std::string> addresses;
  for (const json::Json& address : list) {
    if (!address.is_string())
      throw std::runtime_error("has " + std::string(json::type_in_words(address)) + " at \"" +
                               binary + "\" where an address belongs");
    addresses.push_back(address.get<std::string>());
  }
  return addresses;
}

/// No list of addresses of a binary that is called `objects`.
bool is_registry(const json::Json& objects) {
  return objects.is_array() && (objects.empty() || !objects.front().is_string());
}

/// The places of those objects of FORB's registry that are of a binary: `models-server/Models`,
/// `models-server.2/Models`.
std::vector<std::string> addresses_of(const json::Json& objects, const std::string& binary) {
  std::vector<std::string> addresses;
  for (const json::Json& object : objects) {
    const auto text = [&](const char* key) {
      const auto found = object.is_object() ? object.find(key) : object.end();
      if (found == object.end() || !found->is_string())
        throw std::runtime_error(std::string("has an object without \"") + key + "\"");
      return found->get<std::string>();
    };
    const std::string name = text("name");
    if (name.substr(0, name.find_first_of("./")) != binary) continue;
    const std::string ip = text("ip");
    const auto port = object.find("port");
    if (port == object.end() || !port->is_number_unsigned())
      throw std::runtime_error("has an object without \"port\"");
    const std::string host = ip.find(':') == std::string::npos ? ip : "[" + ip + "]";
    addresses.push_back(host + ":" + std::to_string(port->get<std::uint64_t>()));
  }
  return addresses;
}

}  // namespace

FileDiscovery::FileDiscovery(std::string file, std::string binary, Transport how)
    : file_(std::move(file)), binary_(std::move(binary)), how_(how) {}

std::vector<Directory::Instance> FileDiscovery::instances() {
  const std::lock_guard lock(mutex_);
  try {
    look();
  } catch (const std::runtime_error& error) {
    why_ = error.what();
  }
  return found_;
}

std::string FileDiscovery::why_none() const {
  const std::lock_guard lock(mutex_);
  return file_ + " " + (why_.empty() ? "has not been read" : why_);
}

void FileDiscovery::look() {
  struct stat about {};
  if (stat(file_.c_str(), &about) != 0) {
    version_ = {};
    throw std::runtime_error("cannot be read: " + said(errno));
  }
  const Version now{about.st_dev, about.st_ino, about.st_size, about.st_mtim.tv_sec,
                    about.st_mtim.tv_nsec};
  if (now == version_) return;
  version_ = {};  // one that cannot be opened now may be the next time, and be the same
  // Not one that never ends, or that waits for somebody to write.
  const Descriptor file(open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open() || fstat(file.number(), &about) != 0)
    throw std::runtime_error("cannot be read: " + said(errno));
  if (!S_ISREG(about.st_mode)) throw std::runtime_error("is no file");
  version_ = now;
  read(file);
}

// What it says of this binary; of others it may say what it likes.
void FileDiscovery::read(const Descriptor& file) {
  const auto document = json::parse_document(content_of(file));
  const auto* const json = std::get_if<json::Json>(&document);
  if (json == nullptr) throw std::runtime_error("is no JSON");
  if (!json->is_object()) throw std::runtime_error("has no list of addresses by binaries");
  const auto objects = json->find("objects");
  const auto listed = json->find(binary_);
  if (listed == json->end() && objects == json->end()) {
    found_.clear();
    throw std::runtime_error("lists no process of it");
  }
  std::vector<Directory::Instance> found;
  const auto add = [&](const std::string& address) {
    auto instance = Directory::drawn_at(told_place(address, how_));
    const bool is_new = std::none_of(found.begin(), found.end(),
                                     [&](const auto& each) { return each.id == instance.id; });
    // A process that serves several interfaces is listed as several objects.
    if (is_new) found.push_back(std::move(instance));
  };
  if (listed != json->end() && !(binary_ == "objects" && is_registry(*objects)))
    for (const std::string& address : addresses_in(*listed, binary_)) add(address);
  if (objects != json->end() && is_registry(*objects))
    for (const std::string& address : addresses_of(*objects, binary_)) add(address);
  found_ = std::move(found);
  why_ = "lists no process of it";
}

}  // namespace penstock::net
