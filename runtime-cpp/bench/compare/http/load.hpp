#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "http/hats.hpp"
#include "penstock/base/time.hpp"

namespace compare {

/// 64 clients, each with a connection of its own that stays open and one request under way: what
/// was answered is asked again. They do the least that clients can do, on the calling thread, so
/// that what is measured is the server: the request is written as it lies there, and of an answer
/// no more is looked at than its status and its length.
class Load {
 public:
  using Times = std::vector<penstock::Nanos>;
  static constexpr std::size_t kClients = 64;

  /// Connects to the port of this host, and sees that hats come. Throws std::runtime_error.
  Load(std::uint16_t port, Form form);
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;
  ~Load();

  /// So many calls, or as many as there are clients, if that is more: `count` says how many. With
  /// `times` each one's time is added there. Throws std::runtime_error.
  void ask(std::uint64_t& count, Times* times = nullptr);

 private:
  struct Client {
    int socket = -1;
    std::size_t taken = 0;  // of the present answer
    penstock::Nanos sent = 0;
  };
  void learn(const Client& client, Form form);
  void send(Client& client) const;
  /// True: the answer is there.
  [[nodiscard]] bool take(Client& client) const;

  std::string request_;
  std::size_t answer_ = 0;  // bytes of each
  int ready_ = -1;
  std::array<Client, kClients> clients_{};
};

}  // namespace compare
