// Go's Twirp, in the program that bench/peers/twirp is built into; where it is not, it is no
// contender.
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <optional>
#include <stdexcept>
#include <string>

#include "http/enter.hpp"

namespace compare {
namespace {

constexpr const char* kProgram = PENSTOCK_TWIRP;

/// It says its port, and ends with us.
class Twirp {
 public:
  Twirp() {
    std::array<int, 2> said{};
    if (pipe(said.data()) != 0) throw std::runtime_error("no pipe for Twirp");
    process_ = fork();
    if (process_ < 0) throw std::runtime_error("no process for Twirp");
    if (process_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      dup2(said[1], STDOUT_FILENO);
      execl(kProgram, kProgram, nullptr);
      _exit(1);
    }
    close(said[1]);
    std::string text;
    std::array<char, 16> bytes{};
    while (text.find('\n') == std::string::npos) {
      const ssize_t got = read(said[0], bytes.data(), bytes.size());
      if (got <= 0) throw std::runtime_error("Twirp does not start");
      text.append(bytes.data(), static_cast<std::size_t>(got));
    }
    close(said[0]);
    port_ = static_cast<std::uint16_t>(std::stoul(text));
  }
  Twirp(const Twirp&) = delete;
  Twirp& operator=(const Twirp&) = delete;
  ~Twirp() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  pid_t process_ = -1;
  std::uint16_t port_ = 0;
};

const std::optional<EnterHttp<Twirp>> kEntered = [] {
  std::optional<EnterHttp<Twirp>> entered;
  if (access(kProgram, X_OK) == 0) entered.emplace("twirp", "Go's Twirp over net/http");
  return entered;
}();

}  // namespace
}  // namespace compare
