#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "penstock/tls/keys.hpp"

namespace penstock::testing {

/// A folder with keys as `penstock keys` makes them, and with ones that it would not make.
class MadeKeys {
 public:
  explicit MadeKeys(std::string folder) : folder_(std::move(folder)), key_(make_key()) {
    std::filesystem::create_directory(folder_);
    chmod(folder_.c_str(), 0755);  // whatever the umask is
    certificate_ = certificate_of(*key_, "test (Penstock)", "", kDay);
    write_certificate("ca", *certificate_);
  }
  /// The authority's certificate is one that has ended.
  void end_authority() {
    const Certificate ended = certificate_of(*key_, "test (Penstock)", "", -10);
    write_certificate("ca", *ended);
  }

  struct Wish {
    std::string uri = {};  ///< none: penstock://test/BINARY
    long seconds = kDay;
    bool mismatched = false;  ///< the key is another one's
  };
  /// The certificate and the key of a binary.
  void add(const std::string& binary) { add(binary, {}); }
  void add(const std::string& binary, const Wish& wish) {
    const Key key = make_key();
    const std::string uri = wish.uri.empty() ? "penstock://test/" + binary : wish.uri;
    write_certificate(binary, *certificate_of(*key, binary, "URI:" + uri, wish.seconds));
    write_key(binary, wish.mismatched ? *make_key() : *key);
  }
  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }

  static constexpr long kDay = 86'400;

 private:
  using Key = std::unique_ptr<EVP_PKEY, tls_part::Release<&EVP_PKEY_free>>;
  using Certificate = tls_part::Certificate;

  static Key make_key() { return Key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")); }

  static void extend(X509& certificate, X509V3_CTX& context, int which, const std::string& value) {
    X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, which, value.c_str());
    if (extension == nullptr) throw std::runtime_error(value);
    X509_add_ext(&certificate, extension, -1);
    X509_EXTENSION_free(extension);
  }

  // Of the authority itself, or signed by it.
  Certificate certificate_of(EVP_PKEY& key, const std::string& name, const std::string& alternative,
                             long seconds) {
    Certificate made(X509_new());
    X509* const x = made.get();
    X509_set_version(x, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(x), ++serial_);
    X509_gmtime_adj(X509_getm_notBefore(x), -kDay - kDay);
    X509_gmtime_adj(X509_getm_notAfter(x), seconds);
    X509_set_pubkey(x, &key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    X509* const issuer = certificate_ && !alternative.empty() ? certificate_.get() : x;
    X509_set_issuer_name(x, X509_get_subject_name(issuer));
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, x, nullptr, nullptr, 0);
    const bool is_authority = alternative.empty();
    extend(*x, context, NID_basic_constraints, is_authority ? "critical,CA:TRUE" : "CA:FALSE");
    if (!is_authority) extend(*x, context, NID_subject_alt_name, alternative);
    X509_sign(x, key_.get(), nullptr);
    return made;
  }

  void write_certificate(const std::string& stem, X509& certificate) const {
    const std::string path = folder_ + "/" + stem + ".crt";
    std::FILE* const file = std::fopen(path.c_str(), "we");
    PEM_write_X509(file, &certificate);
    std::fclose(file);
    chmod(path.c_str(), 0644);
  }
  void write_key(const std::string& stem, EVP_PKEY& key) const {
    const std::string path = folder_ + "/" + stem + ".key";
    std::FILE* const file = std::fopen(path.c_str(), "we");
    PEM_write_PrivateKey(file, &key, nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(file);
    chmod(path.c_str(), 0600);
  }

  std::string folder_;
  Key key_;
  Certificate certificate_;
  long serial_ = 0;
};

}  // namespace penstock::testing
