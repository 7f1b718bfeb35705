#include "penstock/http/asio_line.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <utility>

namespace penstock::http {
namespace {

using Error = boost::system::error_code;

}  // namespace

AsioLine::AsioLine(Socket socket, const Security* security)
    : wire_(std::move(socket), security), executor_(wire_.get_executor()), timer_(executor_) {}

AsioLine::Socket AsioLine::give_socket() {
  timer_.cancel();
  return std::move(wire_.socket());
}

void AsioLine::read(std::span<char> room) {
  wire_.async_read_some(boost::asio::buffer(room.data(), room.size()),
                        [kept = user().keep()](const Error& error, std::size_t bytes) {
                          kept->received(!error, bytes);
                        });
}

void AsioLine::write(Pieces pieces) {
  const std::array<boost::asio::const_buffer, 2> buffers{boost::asio::buffer(pieces[0]),
                                                         boost::asio::buffer(pieces[1])};
  boost::asio::async_write(
      wire_, buffers,
      [kept = user().keep()](const Error& error, std::size_t /*bytes*/) { kept->sent(!error); });
}

void AsioLine::cancel() {
  Error ignored;
  wire_.socket().cancel(ignored);
}

void AsioLine::wake_at(Time time) {
  timer_.expires_at(time);
  // Weak: a connection that ended is not kept for the rest of its time.
  timer_.async_wait([this, weak = std::weak_ptr<User>(user().keep())](const Error& error) {
    const auto kept = error ? nullptr : weak.lock();
    // It ran out, and before we came to it another one began for another time.
    if (kept == nullptr || timer_.expiry() > std::chrono::steady_clock::now()) return;
    kept->woken();
  });
}

void AsioLine::close() {
  timer_.cancel();
  wire_.close();
}

bool AsioLine::is_here() const noexcept {
  const auto* const loop = executor_.target<boost::asio::io_context::executor_type>();
  return loop != nullptr && loop->running_in_this_thread();
}

void AsioLine::poke() {
  boost::asio::post(executor_, [weak = std::weak_ptr<User>(user().keep())] {
    if (const auto kept = weak.lock()) kept->poked();
  });
}

}  // namespace penstock::http
