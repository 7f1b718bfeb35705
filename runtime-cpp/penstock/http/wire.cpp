#include "penstock/http/wire.hpp"

namespace penstock::http {

Wire::Wire(Socket socket, const Security* security) : socket_(std::move(socket)) {
  if (security == nullptr) return;
  socket_.native_non_blocking(true);
  secured_ = security->accept(socket_.native_handle());
}

void Wire::end() {
  secured_.reset();
  Error ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
}

void Wire::close() {
  secured_.reset();
  Error ignored;
  socket_.close(ignored);
}

}  // namespace penstock::http
