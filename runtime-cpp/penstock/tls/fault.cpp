#include "penstock/tls/fault.hpp"

#include <openssl/err.h>

namespace penstock::tls_part {
namespace {

/// The other end says, by these alerts, that it does not take the key of this one.
bool is_about_the_key(int reason) noexcept {
  switch (reason) {
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
    case SSL_R_TLSV1_ALERT_DECRYPT_ERROR:
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
      return true;
    default:
      return false;
  }
}

/// Another one has the same name where it was made anew.
bool is_about_the_authority(long found) noexcept {
  return found == X509_V_ERR_CERT_SIGNATURE_FAILURE ||
         found == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY ||
         found == X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN ||
         found == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT;
}

}  // namespace

std::string what_is_wrong(const SSL& ssl) {
  const long found = SSL_get_verify_result(&ssl);
  if (is_about_the_authority(found)) return "its key is of another authority than this binary's";
  if (found != X509_V_OK)
    return std::string("its key is refused: ") + X509_verify_cert_error_string(found);
  const unsigned long error = ERR_peek_error();
  const int reason = ERR_GET_REASON(error);
  const char* const text = ERR_reason_error_string(error);
  const std::string said = text == nullptr ? std::to_string(error) : text;
  if (is_about_the_key(reason)) return "it refuses the key of this binary: " + said;
  if (reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_UNSUPPORTED_PROTOCOL ||
      reason == SSL_R_TLSV1_ALERT_PROTOCOL_VERSION)
    return "it does not speak TLS 1.3";
  return "TLS: " + said;
}

}  // namespace penstock::tls_part
