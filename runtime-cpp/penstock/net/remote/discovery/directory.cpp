#include "penstock/net/remote/discovery/directory.hpp"

#include <dirent.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "penstock/base/error.hpp"

namespace penstock::net {
namespace {

constexpr std::string_view kSuffix = ".sock";
// A path of a socket has 107 bytes at most: so long the name of a binary may be in it that the
// folder of any user's has room for the rest.
constexpr std::size_t kLongestName = 38;
constexpr std::size_t kHashDigits = 16;
constexpr mode_t kFolderMode = 0700;

// FNV-1a, 64 bits: short, and the same in every process.
std::string hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char each : text) {
    hash ^= static_cast<unsigned char>(each);
    hash *= 0x100000001b3U;
  }
  std::string digits(kHashDigits, '0');
  for (std::size_t at = digits.size(); at-- > 0; hash >>= 4U)
    digits[at] = "0123456789abcdef"[hash & 15U];
  return digits;
}

// What stands for a binary in names of files; no name of a binary has a tilde.
std::string stem_of(const std::string& binary) {
  if (binary.size() <= kLongestName) return binary;
  return binary.substr(0, kLongestName - 1 - kHashDigits) + "~" + hash_of(binary);
}

void make_for_the_user(const std::string& folder) {
  if (mkdir(folder.c_str(), kFolderMode) != 0 && errno != EEXIST)
    throw std::system_error(errno, std::generic_category(), folder);
  struct stat about {};
  if (lstat(folder.c_str(), &about) != 0)
    throw std::system_error(errno, std::generic_category(), folder);
  if (!S_ISDIR(about.st_mode) || about.st_uid != geteuid() || (about.st_mode & 077U) != 0) {
    throw Error(ErrorCode::failed_precondition,
                folder + " has to be a folder of this user that nobody else may enter (chmod 700)");
  }
}

/// No process has that socket any more. A datagram can be sent to none that is there: of those the
/// system says that they are of another type, also before they listen, and they notice nothing.
bool is_dead(const std::string& path) noexcept {
  sockaddr_un address{};
  if (path.size() >= sizeof address.sun_path) return false;
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, path.size());
  const Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  return socket.is_open() &&
         connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
             0 &&
         errno == ECONNREFUSED;
}

}  // namespace

Directory::Instance Directory::drawn_at(Place place) {
  std::string id = hash_of(place.text());
  return {std::move(id), std::move(place)};
}

std::string Directory::folder_for(const std::string& config_file) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody here changes the environment
  if (const char* const told = std::getenv("PENSTOCK_RUN"); told != nullptr && *told != '\0')
    return told;
  std::error_code failed;
  const auto folder = std::filesystem::absolute(config_file).parent_path();
  const auto canonical = std::filesystem::weakly_canonical(folder, failed);
  const std::string project = hash_of(failed ? folder.string() : canonical.string());
  // NOLINTNEXTLINE(concurrency-mt-unsafe): as above
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  // Whoever became another user has that of the one before.
  struct stat about {};
  const bool is_own = runtime != nullptr && *runtime == '/' && stat(runtime, &about) == 0 &&
                      S_ISDIR(about.st_mode) && about.st_uid == geteuid();
  const std::string user =
      is_own ? std::string(runtime) + "/penstock" : "/tmp/penstock-" + std::to_string(geteuid());
  return user + "/" + project;
}

std::string Directory::path_of(const std::string& binary, const std::string& id) const {
  return folder_ + "/" + stem_of(binary) + "." + id + std::string(kSuffix);
}

std::vector<Directory::Instance> Directory::instances(const std::string& binary) const {
  std::vector<Instance> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(folder_.c_str()), &closedir);
  if (folder == nullptr) return found;
  const std::string prefix = stem_of(binary) + ".";
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread reads from this DIR
  while (const dirent* const entry = readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    if (name.size() != prefix.size() + kIdDigits + kSuffix.size() || !name.starts_with(prefix) ||
        !name.ends_with(kSuffix))
      continue;
    const std::string id(name.substr(prefix.size(), kIdDigits));
    if (id.find_first_not_of("0123456789abcdef") != std::string::npos) continue;
    found.push_back({id, Place::unix_socket(path_of(binary, id))});
  }
  return found;
}

void Directory::expect_room_for(const std::string& binary) const {
  const std::string path = path_of(binary, std::string(kIdDigits, '0'));
  if (path.size() <= Place::kLongestPath) return;
  throw Error(ErrorCode::failed_precondition,
              "the folder of this host's binaries leaves no room for the socket of " + binary +
                  ", whose path has " + std::to_string(Place::kLongestPath) +
                  " bytes at most, here " + std::to_string(path.size()) + ": " + folder_ +
                  "; set PENSTOCK_RUN to a shorter one");
}

Place Directory::publish(const std::string& binary, const std::string& id) const {
  expect_room_for(binary);
  Place place = Place::unix_socket(path_of(binary, id));
  const std::size_t parent = folder_.rfind('/');
  // The user's folder of all projects, where that is where it lies.
  if (parent != std::string::npos && parent != 0 &&
      access(folder_.substr(0, parent).c_str(), F_OK) != 0)
    make_for_the_user(folder_.substr(0, parent));
  make_for_the_user(folder_);
  return place;
}

void Directory::remove(const std::string& binary, const std::string& id) const noexcept {
  try {
    unlink(path_of(binary, id).c_str());
  } catch (const std::bad_alloc&) {
    // It stays, and nobody answers there.
  }
}

void Directory::remove_dead(const std::string& binary, const std::string& id) const noexcept {
  try {
    if (is_dead(path_of(binary, id))) remove(binary, id);
  } catch (const std::bad_alloc&) {
    // As above.
  }
}

void Directory::clean(const std::string& binary) const noexcept {
  try {
    for (const Instance& instance : instances(binary)) remove_dead(binary, instance.id);
  } catch (const std::bad_alloc&) {
    // As above.
  }
}

}  // namespace penstock::net
