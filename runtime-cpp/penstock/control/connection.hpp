#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "penstock/control/live_client.hpp"
#include "penstock/control/routes.hpp"
#include "penstock/http/asio_line.hpp"
#include "penstock/http/connection.hpp"

namespace penstock::control {

/// What HTTP connections share. Outlives them.
struct HttpShared {
  const Limits& limits;
  Host& host;
  const std::string& token;
  AuditLog& audit;
  LiveShared& live;
  std::uint16_t port = 0;
  http::Connections connections;
};

/// One HTTP connection, until it ends or becomes a live one. No body is ever read: nothing here
/// takes one. Everything on `ps-control`.
class Connection final : public http::Connection {
 public:
  Connection(boost::asio::ip::tcp::socket socket, HttpShared& shared)
      : http::Connection(std::make_unique<http::AsioLine>(std::move(socket)), shared.limits,
                         shared.connections),
        shared_(shared) {}

 private:
  void on_request(const http::RequestHead& head) override;
  void on_unreadable(const http::Denial& denial) override;
  [[nodiscard]] http::Reply refusal(const http::Denial& denial) const override {
    return refuse(denial);
  }
  void upgrade();

  HttpShared& shared_;
};

}  // namespace penstock::control
