#include "penstock/tls/keys.hpp"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "penstock/base/error.hpp"
#include "penstock/tls/stream.hpp"

namespace penstock::tls_part {
namespace {

constexpr mode_t kForOthers = 077;
constexpr mode_t kForOthersThanTheGroup = 037;
constexpr mode_t kWritableByOthers = 022;

using File = std::unique_ptr<std::FILE, Release<&std::fclose>>;
using PrivateKey = std::unique_ptr<EVP_PKEY, Release<&EVP_PKEY_free>>;
using Verification = std::unique_ptr<X509_STORE_CTX, Release<&X509_STORE_CTX_free>>;
using Names = std::unique_ptr<GENERAL_NAMES, Release<&GENERAL_NAMES_free>>;

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  ERR_clear_error();
  throw Error(ErrorCode::failed_precondition, file + ": " + why);
}

File open(const std::string& file) {
  File opened(std::fopen(file.c_str(), "re"));
  if (opened == nullptr) {
    refuse(file, std::generic_category().message(errno) +
                     (errno == ENOENT ? "; `penstock keys` makes it, PENSTOCK_KEYS names its folder"
                                      : ""));
  }
  return opened;
}

struct stat about_file(const std::string& file, std::FILE& opened) {
  struct stat about {};
  if (fstat(fileno(&opened), &about) != 0) refuse(file, std::generic_category().message(errno));
  if (about.st_uid != geteuid() && about.st_uid != 0) refuse(file, "is another user's");
  return about;
}

// Whoever may write it says who belongs to the project.
void check_unwritable(const std::string& file, mode_t mode) {
  if ((mode & kWritableByOthers) != 0) refuse(file, "others may write it: `chmod go-w` it");
}

void check_folder(const std::string& folder) {
  struct stat about {};
  if (stat(folder.c_str(), &about) != 0) return;  // as its files will say
  if (about.st_uid != geteuid() && about.st_uid != 0) refuse(folder, "is another user's");
  // Others may add files to one with that bit, as Kubernetes mounts secrets, and change none.
  if ((about.st_mode & S_ISVTX) == 0) check_unwritable(folder, about.st_mode);
}

Certificate read_certificate(const std::string& file) {
  const File opened = open(file);
  check_unwritable(file, about_file(file, *opened).st_mode);
  Certificate read(PEM_read_X509(opened.get(), nullptr, nullptr, nullptr));
  if (read == nullptr) refuse(file, "is no certificate");
  return read;
}

PrivateKey read_private_key(const std::string& file) {
  const File opened = open(file);
  const struct stat about = about_file(file, *opened);
  // Root's is a mounted secret, which a group may read that the process is in.
  if ((about.st_mode & (about.st_uid == 0 ? kForOthersThanTheGroup : kForOthers)) != 0)
    refuse(file, "others may read it: `chmod 600` it, or make a new one with `penstock keys`");
  // Nobody is asked for the password of one that has some.
  const auto no_password = [](char*, int, int, void*) { return -1; };
  PrivateKey read(PEM_read_PrivateKey(opened.get(), nullptr, no_password, nullptr));
  if (read == nullptr) refuse(file, "is no private key, or one with a password");
  return read;
}

void check_own(const X509& certificate, const std::string& file, const net::Identity& self) {
  const std::string name = name_in(certificate);
  if (name != self.uri())
    refuse(file, "is of " + (name.empty() ? "nobody" : name) + ", and not of " + self.uri());
  if (X509_cmp_current_time(X509_get0_notAfter(&certificate)) < 0)
    refuse(file, "has expired: `penstock keys --renew` makes another one");
  if (X509_cmp_current_time(X509_get0_notBefore(&certificate)) > 0)
    refuse(file, "is not valid yet, by the clock of this host");
}

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

Context load_keys(const net::Identity& self, const std::string& folder) {
  const std::string stem = folder + "/" + self.binary;
  check_folder(folder);
  const Certificate authority = read_certificate(folder + "/ca.crt");
  const Certificate own = read_certificate(stem + ".crt");
  const PrivateKey key = read_private_key(stem + ".key");
  check_own(*own, stem + ".crt", self);
  if (X509_verify(own.get(), X509_get0_pubkey(authority.get())) != 1)
    refuse(stem + ".crt", "was not made by the authority in " + folder + "/ca.crt");
  if (X509_check_private_key(own.get(), key.get()) != 1)
    refuse(stem + ".key", "is not the key of " + stem + ".crt");

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
      SSL_CTX_use_certificate(made, own.get()) == 1 &&
      SSL_CTX_use_PrivateKey(made, key.get()) == 1 &&
      X509_STORE_add_cert(SSL_CTX_get_cert_store(made), authority.get()) == 1 &&
      SSL_CTX_set_num_tickets(made, 0) == 1;
  if (!set) {
    const char* const why = ERR_reason_error_string(ERR_peek_last_error());
    refuse(stem + ".crt", std::string("OpenSSL does not take it: ") + (why == nullptr ? "" : why));
  }
  SSL_CTX_set_verify(made, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  SSL_CTX_set_session_cache_mode(made, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(made, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_options(made, SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_read_ahead(made, 1);
  SSL_CTX_set_msg_callback(made, &Stream::saw);
  check_authority(*made, *own, stem + ".crt");
  return context;
}

}  // namespace penstock::tls_part
