#include "penstock/tls/keys.hpp"

#include <openssl/err.h>
#include <openssl/x509v3.h>

#include "penstock/tls/key_files.hpp"
#include "penstock/tls/stream.hpp"

namespace penstock::tls_part {
namespace {

using Verification = std::unique_ptr<X509_STORE_CTX, Release<&X509_STORE_CTX_free>>;
using Names = std::unique_ptr<GENERAL_NAMES, Release<&GENERAL_NAMES_free>>;

// As the other end will see it.
void check_authority(SSL_CTX& context, X509& own, const std::string& file) {
  for (const char* const purpose : {"ssl_server", "ssl_client"}) {
    const Verification verification(X509_STORE_CTX_new());
    if (verification == nullptr ||
        X509_STORE_CTX_init(verification.get(), SSL_CTX_get_cert_store(&context), &own, nullptr) !=
            1 ||
        X509_STORE_CTX_set_default(verification.get(), purpose) != 1)
      throw std::bad_alloc();
    if (X509_verify_cert(verification.get()) == 1) continue;
    const int why = X509_STORE_CTX_get_error(verification.get());
    refuse(file,
           std::string("ca.crt does not vouch for it: ") + X509_verify_cert_error_string(why));
  }
}

}  // namespace

std::string name_in(const X509& certificate) {
  const Names names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int index = 0; names != nullptr && index < sk_GENERAL_NAME_num(names.get()); ++index) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names.get(), index);
    if (name->type != GEN_URI) continue;
    const ASN1_IA5STRING* const text = name->d.uniformResourceIdentifier;
    std::string uri(reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
                    static_cast<std::size_t>(ASN1_STRING_length(text)));
    if (uri.starts_with("penstock://")) return uri;
  }
  return {};
}

std::string name_of_peer(SSL& ssl) {
  if (SSL_is_init_finished(&ssl) != 1) return {};
  const Certificate certificate(SSL_get1_peer_certificate(&ssl));
  return certificate == nullptr ? std::string() : name_in(*certificate);
}

OwnKeys read_own_keys(const net::Identity& self, const std::string& folder) {
  const std::string stem = folder + "/" + self.binary;
  check_folder(folder);
  OwnKeys keys{stem + ".crt", read_certificate(folder + "/ca.crt"), read_certificate(stem + ".crt"),
               read_private_key(stem + ".key")};
  const std::string name = name_in(*keys.own);
  if (name != self.uri()) {
    refuse(keys.file, "is of " + (name.empty() ? "nobody" : name) + ", and not of " + self.uri());
  }
  check_dates(*keys.own, keys.file, "`penstock keys --renew` makes another one");
  if (X509_verify(keys.own.get(), X509_get0_pubkey(keys.authority.get())) != 1)
    refuse(keys.file, "was not made by the authority in " + folder + "/ca.crt");
  check_pair(*keys.own, keys.file, *keys.key, stem + ".key");
  return keys;
}

Context load_keys(const net::Identity& self, const std::string& folder) {
  const OwnKeys keys = read_own_keys(self, folder);
  Context context(SSL_CTX_new(TLS_method()));
  if (context == nullptr) throw std::bad_alloc();
  SSL_CTX* const made = context.get();
  const bool set =
      SSL_CTX_set_min_proto_version(made, TLS1_3_VERSION) == 1 &&
      SSL_CTX_set_ciphersuites(made,
                               "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_256_"
                               "GCM_SHA384") == 1 &&
      // Both ends are this code. Others cost whoever is called up to 0.2 s of a thread for a
      // message that costs the caller nothing.
      SSL_CTX_set1_groups_list(made, "X25519") == 1 &&
      SSL_CTX_set1_sigalgs_list(made, "ed25519") == 1 &&
      SSL_CTX_use_certificate(made, keys.own.get()) == 1 &&
      SSL_CTX_use_PrivateKey(made, keys.key.get()) == 1 &&
      X509_STORE_add_cert(SSL_CTX_get_cert_store(made), keys.authority.get()) == 1 &&
      SSL_CTX_set_num_tickets(made, 0) == 1;
  if (!set) refuse_by_openssl(keys.file);
  SSL_CTX_set_verify(made, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  SSL_CTX_set_session_cache_mode(made, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(made, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_options(made, SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_read_ahead(made, 1);
  SSL_CTX_set_msg_callback(made, &Stream::saw);
  check_authority(*made, *keys.own, keys.file);
  return context;
}

}  // namespace penstock::tls_part
