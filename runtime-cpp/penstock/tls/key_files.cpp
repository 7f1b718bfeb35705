#include "penstock/tls/key_files.hpp"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "penstock/base/error.hpp"

namespace penstock::tls_part {
namespace {

constexpr mode_t kForOthers = 077;
constexpr mode_t kForOthersThanTheGroup = 037;
constexpr mode_t kWritableByOthers = 022;
constexpr std::size_t kLongestChain = 10;

using File = std::unique_ptr<std::FILE, Release<&std::fclose>>;

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

}  // namespace

void refuse(const std::string& file, const std::string& why) {
  ERR_clear_error();
  throw Error(ErrorCode::failed_precondition, file + ": " + why);
}

void refuse_by_openssl(const std::string& file) {
  const char* const why = ERR_reason_error_string(ERR_peek_last_error());
  refuse(file, std::string("OpenSSL does not take it: ") + (why == nullptr ? "" : why));
}

void check_folder(const std::string& folder) {
  struct stat about {};
  if (stat(folder.c_str(), &about) != 0) return;  // as its files will say
  if (about.st_uid != geteuid() && about.st_uid != 0) refuse(folder, "is another user's");
  // Others may add files to one with that bit, as Kubernetes mounts secrets, and change none.
  if ((about.st_mode & S_ISVTX) == 0) check_unwritable(folder, about.st_mode);
}

std::vector<Certificate> read_chain(const std::string& file) {
  const File opened = open(file);
  check_unwritable(file, about_file(file, *opened).st_mode);
  std::vector<Certificate> chain;
  while (chain.size() < kLongestChain) {
    Certificate read(PEM_read_X509(opened.get(), nullptr, nullptr, nullptr));
    if (read == nullptr) break;
    chain.push_back(std::move(read));
  }
  if (chain.empty()) refuse(file, "is no certificate");
  const auto error = ERR_peek_last_error();
  if (error != 0 && ERR_GET_REASON(error) != PEM_R_NO_START_LINE)
    refuse(file, "certificate " + std::to_string(chain.size() + 1) + " in it is damaged");
  ERR_clear_error();
  return chain;
}

Certificate read_certificate(const std::string& file) {
  return std::move(read_chain(file).front());
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

void check_dates(const X509& certificate, const std::string& file, const std::string& remedy) {
  if (X509_cmp_current_time(X509_get0_notAfter(&certificate)) < 0)
    refuse(file, "has expired: " + remedy);
  if (X509_cmp_current_time(X509_get0_notBefore(&certificate)) > 0)
    refuse(file, "is not valid yet, by the clock of this host");
}

void check_pair(const X509& certificate, const std::string& file, const EVP_PKEY& key,
                const std::string& key_file) {
  if (X509_check_private_key(&certificate, &key) != 1)
    refuse(key_file, "is not the key of " + file);
}

}  // namespace penstock::tls_part
