#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "penstock/base/context.hpp"
#include "penstock/flow/source/http_source.hpp"
#include "penstock/http/connection.hpp"

namespace penstock::edge {

class Connection;

/// What the connections of a server share. Outlives them. On the server's thread.
struct Shared {
  const http::Limits& limits;
  std::vector<flow::HttpSource*> sources;
  std::uint16_t port = 0;
  bool draining = false;
  http::Connections connections;
  /// Those whose request waits for room in the queue of its flow, oldest first.
  std::list<std::shared_ptr<Connection>> waiting;
  /// Asks for look_for_room() in a moment.
  std::function<void()> look_soon;
};

/// One HTTP connection: requests are posted to the paths of flows, one after the other.
class Connection final : public http::Connection {
 public:
  Connection(boost::asio::ip::tcp::socket socket, Shared& shared)
      : http::Connection(std::move(socket), shared.limits, shared.connections), shared_(shared) {}

  void drop() override;
  /// Of those that wait: into the flow, if there is room now. False: it still waits.
  bool try_again();
  /// Of those that wait: they are sent away.
  void give_up_waiting();

 private:
  void on_request(const http::RequestHead& head) override;
  void on_body(std::string body) override;
  void on_answer_late() override;
  [[nodiscard]] http::Reply refusal(const http::Denial& denial) const override;

  void submit();
  void answer(const flow::HttpAnswer& answer, bool keep_alive);
  void deny(int status, std::string reason);
  void stop_waiting();

  Shared& shared_;
  flow::HttpSource* source_ = nullptr;  // of the present request
  std::string body_;
  Context context_;
  std::uint64_t request_ = 0;  // counts them: a late answer is for an earlier one
  bool waits_ = false;
};

}  // namespace penstock::edge
