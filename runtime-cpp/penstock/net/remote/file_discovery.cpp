#include "penstock/net/remote/file_discovery.hpp"

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
#include "penstock/net/remote/told_place.hpp"

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

}  // namespace

FileDiscovery::FileDiscovery(std::string file, std::string binary, bool secured)
    : file_(std::move(file)), binary_(std::move(binary)), secured_(secured) {}

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
  version_ = now;
  read();
}

// What it says of this binary; of others it may say what it likes.
void FileDiscovery::read() {
  // Not one that never ends, or that waits for somebody to write.
  const Descriptor file(open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat about {};
  if (!file.is_open() || fstat(file.number(), &about) != 0)
    throw std::runtime_error("cannot be read: " + said(errno));
  if (!S_ISREG(about.st_mode)) throw std::runtime_error("is no file");
  const auto document = json::parse_document(content_of(file));
  const auto* const json = std::get_if<json::Json>(&document);
  if (json == nullptr) throw std::runtime_error("is no JSON");
  if (!json->is_object()) throw std::runtime_error("has no list of addresses by binaries");
  const auto listed = json->find(binary_);
  if (listed == json->end()) {
    found_.clear();
    throw std::runtime_error("lists no process of it");
  }
  if (!listed->is_array())
    throw std::runtime_error("has no list of addresses at \"" + binary_ + "\"");
  std::vector<Directory::Instance> found;
  for (const json::Json& address : *listed) {
    if (!address.is_string())
      throw std::runtime_error("has " + std::string(json::type_in_words(address)) + " at \"" +
                               binary_ + "\" where an address belongs");
    found.push_back(
        Directory::drawn_at(told_place(address.get_ref<const std::string&>(), secured_)));
  }
  found_ = std::move(found);
  why_ = "lists no process of it";
}

}  // namespace penstock::net
