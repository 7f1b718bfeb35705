// Two hosts with a bad wire between them, for tests of real processes: two network namespaces,
// each with a TUN device (10.99.0.1 and 10.99.0.2), whose packets this program passes on. It says
// `ready PID PID`, the processes whose namespaces those are; each line that it reads sets what the
// wire does (`lost=50 delay-ms=20`: the rest is 0; `mtu=576` of both devices) and is answered with
// `ok`; it ends, and the hosts with it, with its input. Needs the rights of root.
//
//   penstock_bad_wire [SEED]
#include "support/bad_wire.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <system_error>

namespace {

using penstock::Nanos;
using penstock::now_ns;
using penstock::testing::BadWire;
using penstock::testing::WireFaults;

constexpr const char* kDevice = "wire";
constexpr std::size_t kMostPacket = 65'536;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}
int must(int result, const char* what) {
  if (result < 0) fail(what);
  return result;
}

ifreq request(const char* device) {
  ifreq about{};
  std::strncpy(about.ifr_name, device, IFNAMSIZ - 1);
  return about;
}
void configure(int socket, unsigned long what, ifreq about, const char* text) {
  must(ioctl(socket, what, &about), text);
}
void bring_up(int socket, const char* device) {
  ifreq about = request(device);
  about.ifr_flags = IFF_UP | IFF_RUNNING;
  configure(socket, SIOCSIFFLAGS, about, "a device is not up");
}
void set_address(int socket, unsigned long what, const char* text) {
  ifreq about = request(kDevice);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  inet_pton(AF_INET, text, &address.sin_addr);
  std::memcpy(&about.ifr_addr, &address, sizeof address);
  configure(socket, what, about, "a device has no address");
}

/// One of the two: a process in a namespace of its own.
struct Host {
  pid_t process = 0;
  int device = -1;  // what its TUN device writes, and what it is given
  int inside = -1;  // a socket in there, for what is configured
};

void hand_over(int through, std::array<int, 2> files) {
  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof files)> beside{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = beside.data();
  message.msg_controllen = beside.size();
  cmsghdr* const head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof files);
  std::memcpy(CMSG_DATA(head), files.data(), sizeof files);
  must(static_cast<int>(sendmsg(through, &message, 0)), "a device is not handed over");
}
std::array<int, 2> take_over(int through) {
  char byte = 0;
  iovec part{&byte, 1};
  std::array<int, 2> files{};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof files)> beside{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = beside.data();
  message.msg_controllen = beside.size();
  if (recvmsg(through, &message, 0) <= 0 || CMSG_FIRSTHDR(&message) == nullptr) {
    errno = EPERM;
    fail("there is no host");
  }
  std::memcpy(files.data(), CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof files);
  return files;
}

/// In the process of the host.
void be_host(const char* address, int through) {
  must(prctl(PR_SET_PDEATHSIG, SIGKILL), "it would be left behind");
  must(unshare(CLONE_NEWNET), "there is no namespace (is this root?)");
  const int inside = must(socket(AF_INET, SOCK_DGRAM, 0), "there is no socket");
  const int device = must(open("/dev/net/tun", O_RDWR), "there is no /dev/net/tun");
  ifreq about = request(kDevice);
  about.ifr_flags = IFF_TUN | IFF_NO_PI;
  must(ioctl(device, TUNSETIFF, &about), "there is no device");
  set_address(inside, SIOCSIFADDR, address);
  set_address(inside, SIOCSIFNETMASK, "255.255.255.0");
  bring_up(inside, kDevice);
  bring_up(inside, "lo");
  hand_over(through, {device, inside});
  for (;;) pause();
}

Host make_host(const char* address) {
  std::array<int, 2> ends{};
  must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), "there are no sockets");
  const pid_t process = must(fork(), "there is no process");
  if (process == 0) {
    try {
      close(ends[0]);
      be_host(address, ends[1]);
    } catch (const std::exception& error) {
      std::cerr << error.what() << '\n';
    }
    _exit(1);
  }
  close(ends[1]);
  const auto [device, inside] = take_over(ends[0]);
  must(fcntl(device, F_SETFL, O_NONBLOCK), "a device blocks");
  return {process, device, inside};
}

/// The words of a line; throws std::invalid_argument.
std::map<std::string, unsigned> numbers_of(const std::string& line) {
  std::map<std::string, unsigned> numbers;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) throw std::invalid_argument(word);
    numbers[word.substr(0, equals)] = static_cast<unsigned>(std::stoul(word.substr(equals + 1)));
  }
  return numbers;
}

class Wire {
 public:
  explicit Wire(std::uint64_t seed)
      : hosts_{make_host("10.99.0.1"), make_host("10.99.0.2")},
        ways_{BadWire(seed), BadWire(~seed)} {
    std::cout << "ready " << hosts_[0].process << ' ' << hosts_[1].process << std::endl;
  }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;
  ~Wire() {
    for (const Host& host : hosts_) {
      kill(host.process, SIGKILL);
      waitpid(host.process, nullptr, 0);
    }
  }

  void run() {
    std::array<pollfd, 3> wait{
        {{STDIN_FILENO, POLLIN, 0}, {hosts_[0].device, POLLIN, 0}, {hosts_[1].device, POLLIN, 0}}};
    for (;;) {
      must(poll(wait.data(), wait.size(), until_next()), "it cannot wait");
      if (wait[0].revents != 0 && !read_words()) return;
      for (std::size_t end = 0; end < 2; ++end) {
        if (wait[end + 1].revents != 0) take_from(end);
        give_to(1 - end, ways_[end]);
      }
    }
  }

 private:
  [[nodiscard]] int until_next() const noexcept {
    constexpr Nanos kMs = 1'000'000;
    Nanos least = 1'000 * kMs;
    for (const BadWire& way : ways_) {
      if (way.next() != 0) least = std::min(least, std::max<Nanos>(way.next() - now_ns(), 0));
    }
    return static_cast<int>((least + kMs - 1) / kMs);
  }
  void take_from(std::size_t end) {
    std::array<char, kMostPacket> packet{};
    for (;;) {
      const ssize_t count = read(hosts_[end].device, packet.data(), packet.size());
      if (count <= 0) return;
      ways_[end].take({packet.data(), static_cast<std::size_t>(count)}, now_ns());
    }
  }
  void give_to(std::size_t end, BadWire& way) {
    for (std::string packet = way.give(now_ns()); !packet.empty(); packet = way.give(now_ns())) {
      // One that its device does not take is lost, as on any wire.
      static_cast<void>(!write(hosts_[end].device, packet.data(), packet.size()));
    }
  }
  bool read_words() {
    std::array<char, 4096> some{};
    const ssize_t count = read(STDIN_FILENO, some.data(), some.size());
    if (count <= 0) return false;
    words_.append(some.data(), static_cast<std::size_t>(count));
    for (std::size_t end = words_.find('\n'); end != std::string::npos; end = words_.find('\n')) {
      set(words_.substr(0, end));
      words_.erase(0, end + 1);
    }
    return true;
  }
  void set(const std::string& line) {
    auto numbers = numbers_of(line);
    WireFaults faults;
    faults.lost = numbers["lost"];
    faults.doubled = numbers["doubled"];
    faults.reordered = numbers["reordered"];
    faults.corrupted = numbers["corrupted"];
    faults.sums = numbers["sums"] != 0;
    faults.delay_ms = numbers["delay-ms"];
    faults.kbit = numbers["kbit"];
    faults.cut = numbers["cut"] != 0;
    for (BadWire& way : ways_) way.set(faults);
    for (const Host& host : hosts_) {
      ifreq about = request(kDevice);
      about.ifr_mtu = numbers["mtu"] != 0 ? static_cast<int>(numbers["mtu"]) : 1500;
      configure(host.inside, SIOCSIFMTU, about, "a device has no such MTU");
    }
    std::cout << "ok" << std::endl;
  }

  std::array<Host, 2> hosts_;
  std::array<BadWire, 2> ways_;
  std::string words_;
};

}  // namespace

int main(int count, char** words) {
  try {
    const std::uint64_t seed = count > 1 ? std::strtoull(words[1], nullptr, 10) : 1;
    Wire(seed).run();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "penstock_bad_wire: " << error.what() << '\n';
    return 1;
  }
}
