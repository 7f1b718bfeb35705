#include "penstock/net/socket/rings.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

namespace penstock::net {
namespace {

// The file: a page with what the ends tell each other about the one way and the other one, then the
// bytes of both.
constexpr std::size_t kPage = 4096;
constexpr std::size_t kSecondControl = kPage / 2;
constexpr std::size_t kFileBytes = kPage + 2 * Rings::kCapacity;
static_assert(sizeof(RingControl) <= kSecondControl);
constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

constexpr std::string_view kMagic = "PSTKRING";
constexpr std::uint32_t kVersion = 1;
constexpr char kTaken = 'R';
constexpr char kWithout = 'S';
/// After so many rests the socket is emptied: it holds far more than is told in them.
constexpr unsigned kMostRests = 32;
constexpr std::size_t kMostTold = 4 * std::size_t{kMostRests};
/// Files that came before the messages that tell of them.
constexpr std::size_t kMostFiles = Loans::kMostSegments;

/// Sends them with a file beside them. False: not all of them were sent.
bool send_with_file(int socket, std::string_view bytes, const Descriptor& file) noexcept {
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> beside{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = beside.data();
  message.msg_controllen = beside.size();
  cmsghdr* const head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  const int number = file.number();
  std::memcpy(CMSG_DATA(head), &number, sizeof number);
  return sendmsg(socket, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

/// As recv(2), up to bytes with a file beside them. `lost`: there was no room for it.
ssize_t receive_with_file(int socket, char* to, std::size_t room, Descriptor& file,
                          bool& lost) noexcept {
  iovec part{to, room};
  // Room for one: nobody sends more, and the system closes the others.
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> beside{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = beside.data();
  message.msg_controllen = CMSG_LEN(sizeof(int));
  const ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (count <= 0) return count;
  lost = (message.msg_flags & MSG_CTRUNC) != 0;
  const cmsghdr* const head = CMSG_FIRSTHDR(&message);
  if (head != nullptr && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS &&
      head->cmsg_len == CMSG_LEN(sizeof(int))) {
    int number = -1;
    std::memcpy(&number, CMSG_DATA(head), sizeof number);
    Descriptor came(number);
    if (!lost) file = std::move(came);
  }
  return count;
}

/// One that the other end cannot make smaller while it is used.
bool is_sound(const Descriptor& file) noexcept {
  struct stat about {};
  const int seals = fcntl(file.number(), F_GET_SEALS);
  return seals >= 0 && (seals & kSeals) == kSeals && fstat(file.number(), &about) == 0 &&
         about.st_size == static_cast<off_t>(kFileBytes);
}

}  // namespace

// --- the memory ---

Descriptor Rings::make_file() noexcept {
  constexpr unsigned kFlags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  // Of Linux 6.3: where that is asked for (vm.memfd_noexec), there is none without it.
  constexpr unsigned kNotToBeRun = 8;
  Descriptor file(memfd_create("penstock-rings", kFlags | kNotToBeRun));
  if (!file.is_open()) file = Descriptor(memfd_create("penstock-rings", kFlags));
  if (!file.is_open() || ftruncate(file.number(), kFileBytes) != 0 ||
      fcntl(file.number(), F_ADD_SEALS, kSeals) != 0)
    return {};
  return file;
}

std::array<char, Rings::kOfferBytes> Rings::offer_bytes() noexcept {
  std::array<char, kOfferBytes> bytes{};
  std::memcpy(bytes.data(), kMagic.data(), kMagic.size());
  const std::array<std::uint32_t, 2> numbers{kVersion, kCapacity};
  std::memcpy(bytes.data() + kMagic.size(), numbers.data(), sizeof numbers);
  return bytes;
}

Rings::Mapping::Mapping(const Descriptor& file, bool connected) noexcept : connected_(connected) {
  // Its pages now, and not one by one when the first bytes come.
  void* const at = mmap(nullptr, kFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                        file.number(), 0);
  if (at != MAP_FAILED) at_ = static_cast<char*>(at);
}

Rings::Mapping::Mapping(Mapping&& other) noexcept
    : at_(std::exchange(other.at_, nullptr)), connected_(other.connected_) {}

Rings::Mapping& Rings::Mapping::operator=(Mapping&& other) noexcept {
  std::swap(at_, other.at_);
  std::swap(connected_, other.connected_);
  return *this;
}

Rings::Mapping::~Mapping() {
  if (at_ != nullptr) munmap(at_, kFileBytes);
}

RingMemory Rings::Mapping::ring(std::size_t way) const noexcept {
  if (at_ == nullptr) return {};
  return {reinterpret_cast<RingControl*>(at_ + way * kSecondControl), at_ + kPage + way * kCapacity,
          kCapacity};
}

// --- whether there are any ---

std::unique_ptr<Carrier> Rings::offer(const Descriptor& socket) {
  const Descriptor file = make_file();
  if (!file.is_open()) return nullptr;
  Mapping mapping(file, true);
  if (!mapping.is_there()) return nullptr;
  std::unique_ptr<Rings> rings(new Rings(socket, State::offered, std::move(mapping)));
  const std::array<char, kOfferBytes> bytes = offer_bytes();
  // The first bytes of a socket: there is room for them.
  if (!send_with_file(socket.number(), {bytes.data(), bytes.size()}, file)) return nullptr;
  return rings;
}

std::unique_ptr<Carrier> Rings::expect(const Descriptor& socket) {
  return std::unique_ptr<Carrier>(new Rings(socket, State::expected, {}));
}

Rings::Rings(const Descriptor& socket, State state, Mapping mapping) noexcept
    : socket_(socket.number()),
      state_(state),
      mapping_(std::move(mapping)),
      writer_(mapping_.outgoing()),
      reader_(mapping_.incoming()) {}

ssize_t Rings::hear_whether_taken() noexcept {
  char answer = 0;
  const ssize_t count = recv(socket_, &answer, 1, 0);
  if (count <= 0) return count;
  if (answer != kTaken && answer != kWithout)
    return broken("it does not say whether it takes rings");
  state_ = answer == kTaken ? State::rings : State::socket;
  return count;
}

// What is offered, or the first bytes of what one without says.
ssize_t Rings::hear_offer() noexcept {
  bool lost = false;
  const ssize_t count = receive_with_file(socket_, heard_.data() + heard_bytes_,
                                          heard_.size() - heard_bytes_, offered_, lost);
  if (count <= 0) return count;
  heard_bytes_ += static_cast<std::size_t>(count);
  const std::string_view heard(heard_.data(), heard_bytes_);
  if (!heard.starts_with(kMagic.substr(0, heard_bytes_))) {
    state_ = State::socket;
    offered_.close();
  } else if (heard_bytes_ == heard_.size()) {
    heard_bytes_ = 0;
    take_offer(std::exchange(offered_, {}));
  }
  return count;
}

void Rings::take_offer(const Descriptor& file) noexcept {
  if (heard_ == offer_bytes() && file.is_open() && is_sound(file)) mapping_ = Mapping(file, false);
  const bool taken = mapping_.is_there();
  if (taken) {
    writer_ = RingWriter(mapping_.outgoing());
    reader_ = RingReader(mapping_.incoming());
  }
  const char answer = taken ? kTaken : kWithout;
  // The first byte that goes that way: there is room for it, or nobody is there any more.
  static_cast<void>(::send(socket_, &answer, 1, MSG_NOSIGNAL));
  state_ = taken ? State::rings : State::socket;
}

// --- what goes through them ---

ssize_t Rings::broken(std::string_view why) noexcept {
  why_ = why;
  errno = EPROTO;
  return -1;
}

ssize_t Rings::receive(char* to, std::size_t room) noexcept {
  while (state_ == State::offered || state_ == State::expected) {
    const ssize_t count = state_ == State::offered ? hear_whether_taken() : hear_offer();
    if (count <= 0) return count;
  }
  if (state_ == State::rings) return read(to, room);
  if (heard_bytes_ == 0) return recv(socket_, to, room, 0);
  const std::size_t count = std::min(room, heard_bytes_);
  std::memcpy(to, heard_.data(), count);
  heard_bytes_ -= count;
  std::memmove(heard_.data(), heard_.data() + count, heard_bytes_);
  return static_cast<ssize_t>(count);
}

ssize_t Rings::read(char* to, std::size_t room) noexcept {
  const ssize_t count = reader_.read(to, room);
  if (count < 0) return broken("its ring is broken");
  if (count > 0) {
    if (reader_.must_tell()) tell();
    return count;
  }
  if (ended_) return 0;
  errno = EAGAIN;
  return -1;
}

ssize_t Rings::send(const char* from, std::size_t count) noexcept {
  if (state_ == State::socket) return ::send(socket_, from, count, MSG_NOSIGNAL);
  if (state_ != State::rings) {
    errno = EAGAIN;
    return -1;
  }
  const ssize_t written = writer_.write({from, count});
  if (written < 0) return broken("its ring is broken");
  if (written == 0) {
    errno = EAGAIN;
    return -1;
  }
  if (writer_.must_tell()) tell();
  return written;
}

bool Rings::sees() noexcept { return reader_.has_some() || writer_.has_room_again(); }

bool Rings::rests() noexcept {
  if (++rested_ == kMostRests) forget_told();
  return reader_.rest() && writer_.rest();
}

// What it was told in rests before this one. It is told once of each of the two in one; whoever
// sends more fills the socket against itself.
void Rings::forget_told() noexcept {
  rested_ = 0;
  Descriptor file;
  for (std::size_t files = 0; hear_told(file) > 0 && file.is_open() && files < kMostFiles;
       ++files) {
    try {
      if (files_.size() < kMostFiles) {
        files_.push_back(std::exchange(file, {}));
      } else {
        lost_files_ = true;
      }
    } catch (const std::bad_alloc&) {
      lost_files_ = true;
    }
    file.close();
  }
}

ssize_t Rings::hear_told(Descriptor& file) noexcept {
  std::array<char, kMostTold> told{};
  bool lost = false;
  const ssize_t count = receive_with_file(socket_, told.data(), told.size(), file, lost);
  if (lost) lost_files_ = true;
  return count;
}

// One that cannot be told is awake, or gone.
void Rings::tell() noexcept {
  const char byte = 0;
  static_cast<void>(::send(socket_, &byte, 1, MSG_NOSIGNAL));
}

// --- buffers ---

SharedBuffers& Rings::buffers() {
  if (!buffers_) buffers_.reset(new SharedBuffers(BufferPool::of_process(), *this));
  return *buffers_;
}

bool Rings::hand(Buffer& buffer, bool keep, wire::BufferPart& part) {
  return state_ == State::rings && buffers().hand(buffer, keep, part);
}

Handover::Taken Rings::take(const wire::BufferPart& part, Buffer& to) {
  return state_ == State::rings ? buffers().take(part, to) : Taken::malformed;
}

// Before the message that tells of it is written. Without room for it the other end has its bytes.
bool Rings::send_file(const Descriptor& file) noexcept {
  constexpr char kByte = 0;
  return send_with_file(socket_, {&kByte, 1}, file);
}

Descriptor Rings::take_file() noexcept {
  Descriptor file;
  // The next one would be that of another message.
  if (lost_files_) return file;
  if (!files_.empty()) {
    file = std::move(files_.front());
    files_.erase(files_.begin());
    return file;
  }
  // What it was told before is of no use: it is awake.
  while (!file.is_open() && !lost_files_ && hear_told(file) > 0) {
  }
  return file;
}

}  // namespace penstock::net
