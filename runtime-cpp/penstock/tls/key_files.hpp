#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <vector>

namespace penstock::tls_part {

template <auto release>
struct Release {
  template <class T>
  void operator()(T* thing) const noexcept {
    release(thing);
  }
};
using Context = std::unique_ptr<SSL_CTX, Release<&SSL_CTX_free>>;
using Certificate = std::unique_ptr<X509, Release<&X509_free>>;
using PrivateKey = std::unique_ptr<EVP_PKEY, Release<&EVP_PKEY_free>>;

// What is read from files of keys, and refused: by an Error(failed_precondition), whose text begins
// with the file.

[[noreturn]] void refuse(const std::string& file, const std::string& why);
/// For what OpenSSL has said last on this thread.
[[noreturn]] void refuse_by_openssl(const std::string& file);

/// Of a folder that is there: others may add no files to it, nor change any.
void check_folder(const std::string& folder);

[[nodiscard]] Certificate read_certificate(const std::string& file);
/// Of one in PEM with those of who made it behind it, as servers show them.
[[nodiscard]] std::vector<Certificate> read_chain(const std::string& file);
[[nodiscard]] PrivateKey read_private_key(const std::string& file);

/// It is good today; `remedy`: what helps one that has expired.
void check_dates(const X509& certificate, const std::string& file, const std::string& remedy);
void check_pair(const X509& certificate, const std::string& file, const EVP_PKEY& key,
                const std::string& key_file);

}  // namespace penstock::tls_part
