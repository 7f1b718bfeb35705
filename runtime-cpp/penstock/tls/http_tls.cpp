#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

#include "penstock/http/secured.hpp"
#include "penstock/tls.hpp"
#include "penstock/tls/keys.hpp"
#include "penstock/tls/stream.hpp"

namespace penstock {
namespace tls_part {
namespace {

/// What is spoken here, as ALPN has it.
constexpr std::string_view kProtocol = "\x08http/1.1";

class SecuredHttp final : public http::Secured {
 public:
  SecuredHttp(SSL_CTX& context, int socket) : stream_(context, socket, false) {}
  void came(bool ends) noexcept override { stream_.came(ends); }
  [[nodiscard]] ssize_t receive(char* to, std::size_t room) noexcept override {
    return stream_.receive(to, room);
  }
  [[nodiscard]] ssize_t send(const char* from, std::size_t count) noexcept override {
    return stream_.send(from, count);
  }
  [[nodiscard]] bool waits_for_room() const noexcept override { return stream_.waits_for_room(); }

 private:
  Stream stream_;
};

class HttpTls final : public http::Security {
 public:
  explicit HttpTls(Context context) : context_(std::move(context)) {}
  [[nodiscard]] std::unique_ptr<http::Secured> accept(int socket) const override {
    return std::make_unique<SecuredHttp>(*context_, socket);
  }

 private:
  Context context_;
};

// A client that speaks something else only is told so before it sends any.
int choose_protocol(SSL* /*ssl*/, const unsigned char** chosen, unsigned char* bytes,
                    const unsigned char* offered, unsigned count, void* /*none*/) noexcept {
  unsigned char* found = nullptr;
  const int became =
      SSL_select_next_proto(&found, bytes, reinterpret_cast<const unsigned char*>(kProtocol.data()),
                            static_cast<unsigned>(kProtocol.size()), offered, count);
  *chosen = found;
  return became == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

// Nobody but its owner makes it.
void check_there(const std::string& file) {
  if (access(file.c_str(), F_OK) != 0 && errno == ENOENT)
    refuse(file, "is not there; put it there, or name the folder that has it in PENSTOCK_KEYS");
}

/// What a certificate is shown with.
struct Shown {
  std::string file;
  std::vector<Certificate> chain;  ///< its own first
  PrivateKey key;
};

Shown read_shown(const net::Identity& self, const std::string& folder,
                 const http::KeyFiles& files) {
  if (files.certificate.empty()) {
    OwnKeys own = read_own_keys(self, folder);
    Shown shown{std::move(own.file), {}, std::move(own.key)};
    shown.chain.push_back(std::move(own.own));
    return shown;
  }
  check_folder(folder);
  const std::string key_file = folder + "/" + files.key;
  Shown shown{folder + "/" + files.certificate, {}, nullptr};
  check_there(shown.file);
  check_there(key_file);
  shown.chain = read_chain(shown.file);
  shown.key = read_private_key(key_file);
  check_dates(*shown.chain.front(), shown.file, "put a new one there, and start the binary again");
  check_pair(*shown.chain.front(), shown.file, *shown.key, key_file);
  return shown;
}

Context context_of(Shown shown) {
  Context context(SSL_CTX_new(TLS_server_method()));
  if (context == nullptr) throw std::bad_alloc();
  SSL_CTX* const made = context.get();
  bool set = SSL_CTX_set_min_proto_version(made, TLS1_2_VERSION) == 1 &&
             SSL_CTX_set_cipher_list(made, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1 &&
             // Groups that cost a client much less than a thread here are not among them.
             SSL_CTX_set1_groups_list(made, "X25519:P-256") == 1 &&
             SSL_CTX_use_certificate(made, shown.chain.front().get()) == 1 &&
             SSL_CTX_use_PrivateKey(made, shown.key.get()) == 1 &&
             SSL_CTX_set_num_tickets(made, 0) == 1;
  for (std::size_t at = 1; set && at < shown.chain.size(); ++at)
    set = SSL_CTX_add1_chain_cert(made, shown.chain[at].get()) == 1;
  if (!set) refuse_by_openssl(shown.file);
  SSL_CTX_set_session_cache_mode(made, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(made, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                             SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_options(made, SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_NO_RENEGOTIATION |
                                SSL_OP_NO_TICKET | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_alpn_select_cb(made, &choose_protocol, nullptr);
  SSL_CTX_set_msg_callback(made, &Stream::saw);
  return context;
}

}  // namespace
}  // namespace tls_part

std::unique_ptr<http::Security> http_tls(const net::Identity& self, const std::string& folder,
                                         const http::KeyFiles& files) {
  return std::make_unique<tls_part::HttpTls>(
      tls_part::context_of(tls_part::read_shown(self, folder, files)));
}

}  // namespace penstock
