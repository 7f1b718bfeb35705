// cpp-httplib: a thread for each connection; it blocks while none of its requests is there.
#include <httplib.h>

#include <limits>
#include <thread>

#include "http/enter.hpp"

namespace compare {
namespace {

class Httplib {
 public:
  Httplib() {
    server_.new_task_queue = [] { return new httplib::ThreadPool(Load::kClients); };
    server_.set_keep_alive_max_count(std::numeric_limits<std::size_t>::max());
    server_.set_tcp_nodelay(true);
    server_.Post(std::string(kHatPath),
                 [](const httplib::Request& request, httplib::Response& response) {
                   const std::string type = request.get_header_value("Content-Type");
                   const Form form = type == type_of(Form::json) ? Form::json : Form::protobuf;
                   response.set_content(hat_by_hand(form, request.body), type);
                 });
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
  }
  Httplib(const Httplib&) = delete;
  Httplib& operator=(const Httplib&) = delete;
  ~Httplib() {
    server_.stop();
    thread_.join();
  }
  [[nodiscard]] std::uint16_t port() const { return static_cast<std::uint16_t>(port_); }

 private:
  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

const EnterHttp<Httplib> kEntered("cpp-httplib", "a thread for each connection");

}  // namespace
}  // namespace compare
