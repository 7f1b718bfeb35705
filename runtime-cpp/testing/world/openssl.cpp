// What has OpenSSL read and write a socket, whole: what it keeps of a thread, as the errors of its
// last call, is that of the one thread on which all of a world run. Linked with --wrap
// (cmake/world.cmake).
#include <openssl/ssl.h>

#include "world/step.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker's names
extern "C" {

int __real_SSL_read_ex(SSL* ssl, void* to, std::size_t room, std::size_t* count);
int __real_SSL_write_ex(SSL* ssl, const void* from, std::size_t count, std::size_t* sent);
int __real_SSL_shutdown(SSL* ssl);

int __wrap_SSL_read_ex(SSL* ssl, void* to, std::size_t room, std::size_t* count) {
  const penstock::world::Uninterrupted whole;
  return __real_SSL_read_ex(ssl, to, room, count);
}
int __wrap_SSL_write_ex(SSL* ssl, const void* from, std::size_t count, std::size_t* sent) {
  const penstock::world::Uninterrupted whole;
  return __real_SSL_write_ex(ssl, from, count, sent);
}
int __wrap_SSL_shutdown(SSL* ssl) {
  const penstock::world::Uninterrupted whole;
  return __real_SSL_shutdown(ssl);
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
