#include "penstock/control/connection.hpp"

#include <utility>

namespace penstock::control {

void Connection::on_unreadable(const http::Denial& denial) {
  shared_.audit.refusal(denial.status, denial.reason);
}

void Connection::on_request(const http::RequestHead& head) {
  const Routed routed = route(head, shared_.port, shared_.token, shared_.host);
  if (routed.upgrade) return upgrade();
  const int status = routed.reply.status;
  if (status >= 400 && status < 500) {
    shared_.audit.refusal(status, std::string(head.target.substr(0, 100)));
  }
  // After anything out of the ordinary the connection ends: what follows on it is not trusted.
  const bool fine = status < 400 || status == 404 || status == 503;
  reply(routed.reply, fine && client_keeps_alive());
}

void Connection::upgrade() {
  if (shared_.live.clients.size() >= shared_.limits.live_clients) {
    const http::Denial denial{503, "There are " + std::to_string(shared_.limits.live_clients) +
                                       " live clients already; close one and try again."};
    shared_.audit.refusal(denial.status, denial.reason);
    return reply(refuse(denial), false);
  }
  if (has_unread_bytes()) return reply(refuse({400, "Data before the upgrade."}), false);
  boost::system::error_code ignored;
  auto& line = static_cast<http::AsioLine&>(this->line());
  line.socket().set_option(
      boost::asio::socket_base::send_buffer_size(shared_.limits.send_buffer_bytes), ignored);
  give_up_line();
  std::make_shared<LiveClient>(line.give_socket(), shared_.live)->start(give_request());
}

}  // namespace penstock::control
