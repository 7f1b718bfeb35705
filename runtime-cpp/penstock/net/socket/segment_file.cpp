#include "penstock/net/socket/segment_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <cerrno>
#include <utility>

namespace penstock::net {
namespace {

constexpr int kBufferSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
// Of newer headers.
constexpr unsigned kFileNotToBeRun = 8;   // MFD_NOEXEC_SEAL
constexpr int kPopulateWrite = 23;        // MADV_POPULATE_WRITE
constexpr long kMemoryFiles = 0x1021994;  // TMPFS_MAGIC

}  // namespace

Descriptor SegmentFile::make(std::size_t capacity) noexcept {
  constexpr unsigned kFlags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  Descriptor file(memfd_create("penstock-buffer", kFlags | kFileNotToBeRun));
  if (!file.is_open()) file = Descriptor(memfd_create("penstock-buffer", kFlags));
  if (!file.is_open() || ftruncate(file.number(), static_cast<off_t>(capacity + kPage)) != 0 ||
      fcntl(file.number(), F_ADD_SEALS, kBufferSeals) != 0)
    return {};
  return file;
}

SegmentFile::SegmentFile(const Descriptor& file, std::size_t capacity) noexcept {
  void* const at =
      mmap(nullptr, capacity + kPage, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (at == MAP_FAILED) return;
  // Large pages where the system gives some to those who ask.
  if (capacity >= kHugePage) madvise(at, capacity, MADV_HUGEPAGE);
  // All of them now, and not one by one when the first bytes are written, where one that there is
  // no memory for would end the process. Before Linux 5.14 (EINVAL): then.
  if (madvise(at, capacity + kPage, kPopulateWrite) != 0 && errno != EINVAL) {
    munmap(at, capacity + kPage);
    return;
  }
  at_ = static_cast<std::byte*>(at);
  capacity_ = capacity;
}

std::size_t SegmentFile::capacity_of(const Descriptor& file) noexcept {
  struct stat about {};
  struct statfs kind {};
  // Not of large pages by itself (hugetlbfs): taken out by who sent it, they may not come again.
  const int seals = fcntl(file.number(), F_GET_SEALS);
  if (seals < 0 || (seals & kBufferSeals) != kBufferSeals || fstat(file.number(), &about) != 0 ||
      fstatfs(file.number(), &kind) != 0 || kind.f_type != kMemoryFiles)
    return 0;
  const auto size = static_cast<std::size_t>(about.st_size);
  return size > kPage && size % kPage == 0 ? size - kPage : 0;
}

SegmentFile::SegmentFile(SegmentFile&& other) noexcept
    : at_(std::exchange(other.at_, nullptr)), capacity_(std::exchange(other.capacity_, 0)) {}

SegmentFile& SegmentFile::operator=(SegmentFile&& other) noexcept {
  std::swap(at_, other.at_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

SegmentFile::~SegmentFile() {
  if (at_ != nullptr) munmap(at_, capacity_ + kPage);
}

}  // namespace penstock::net
