#include "penstock/http_client.hpp"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "penstock/service.hpp"
#include "support/other_side.hpp"
#include "support/small_binary.hpp"

namespace penstock {
namespace {

using namespace std::chrono_literals;
using boost::asio::ip::tcp;
using testing::error_of;
using testing::eventually;
using testing::ok;
using testing::Other;

/// A busy machine answers late, too.
const http_client::ClientSettings kPatient{.timeout = testing::kFar};

/// Sends and blocks, as a thread that is no worker may.
http_client::Response get(const http_client::Client& client, http_client::Request request) {
  auto awaiting = client.send(std::move(request));
  EXPECT_TRUE(awaiting.await_ready());
  return awaiting.await_resume();
}

TEST(HttpClientTest, SendsWhatItIsToldAndKeepsTheConnection) {
  Other other([](const std::string&) { return ok("hello"); });
  const http_client::Client client(kPatient);
  http_client::Request request("POST", other.url("/a/b?c=d#e"));
  request.headers.emplace_back("X-One", "1");
  request.body = "{\"x\":1}";
  for (int time = 0; time < 3; ++time) {
    const http_client::Response answer = get(client, request);
    EXPECT_EQ(answer.status, 200U);
    EXPECT_EQ(answer.body, "hello");
    EXPECT_EQ(answer.header("content-TYPE"), "text/plain");
  }
  EXPECT_EQ(other.connections(), 1);
  const std::string host = other.url("").substr(7);
  EXPECT_EQ(other.requests()[2], "POST /a/b?c=d HTTP/1.1\r\nHost: " + host +
                                     "\r\nUser-Agent: penstock\r\nX-One: 1\r\n"
                                     "Content-Length: 7\r\n\r\n{\"x\":1}");
}

TEST(HttpClientTest, ReadsChunkedAnswersAndThoseThatEndWithTheConnection) {
  int asked = 0;
  Other other(
      [&asked](const std::string&) -> std::string {
        if (asked++ == 0) {
          return "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: "
                 "chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
        }
        return "HTTP/1.0 200 OK\r\n\r\nto the end";
      },
      false);
  const http_client::Client client(kPatient);
  EXPECT_EQ(get(client, {"GET", other.url()}).body, "abcde");
  std::thread closer([&] {
    EXPECT_TRUE(eventually([&] { return other.answered() == 2; }));
    other.hang_up();
  });
  EXPECT_EQ(get(client, {"GET", other.url()}).body, "to the end");
  closer.join();
}

TEST(HttpClientTest, AConnectionThatTheOtherSideClosedIsReplaced) {
  Other other([](const std::string&) { return ok("x"); }, true);
  const http_client::Client client(kPatient);
  for (int time = 0; time < 20; ++time) {
    EXPECT_EQ(get(client, {"GET", other.url()}).body, "x");
  }
}

// Answers the first request of each connection, and closes it without a word when it gets another.
struct AnswersOnce {
  Other other{[this](const std::string& request) {
    const std::scoped_lock lock(mutex);
    return ++asked % 2 == 1 ? ok(request.substr(0, request.find(' '))) : std::string();
  }};
  std::mutex mutex;
  int asked = 0;
};

TEST(HttpClientTest, AKeptConnectionThatBreaksCostsNothingWhereTheRequestMayBeMadeTwice) {
  AnswersOnce answers;
  const http_client::Client client(kPatient);
  // More than one exchange may try again: what one of them has used up is not missing to the next.
  for (int time = 0; time < 12; ++time) {
    EXPECT_EQ(get(client, {"GET", answers.other.url()}).body, "GET");
  }
}

TEST(HttpClientTest, WhatMayHaveBeenDoneIsNotAskedForAgain) {
  AnswersOnce answers;
  const http_client::Client client(kPatient);
  EXPECT_EQ(get(client, {"POST", answers.other.url()}).body, "POST");
  const Error error = error_of([&] { get(client, {"POST", answers.other.url()}); });
  EXPECT_EQ(error.code(), ErrorCode::unavailable);
  EXPECT_EQ(answers.other.requests().size(), 2U);
}

TEST(HttpClientTest, ErrorsHaveTheirCodes) {
  Other silent([](const std::string&) { return std::string(); });
  Other rubbish([](const std::string&) { return "rubbish\r\n\r\n"; });
  Other big([](const std::string&) { return ok(std::string(2000, 'x')); });
  const http_client::Client client({.timeout = testing::kFar, .max_body = 1000});
  EXPECT_EQ(error_of([&] { get(client, {"GET", silent.url()}); }).code(), ErrorCode::unavailable);
  EXPECT_EQ(error_of([&] { get(client, {"GET", rubbish.url()}); }).code(), ErrorCode::unavailable);
  EXPECT_EQ(error_of([&] {
              get(client, {"GET", big.url()});
            }).code(),
            ErrorCode::resource_exhausted);
  EXPECT_EQ(error_of([&] {
              get(client, {"GET", "http://127.0.0.1:1/"});
            }).message(),
            "http://127.0.0.1:1: no connection (Connection refused)");
  for (const char* const url : {"ftp://x/", "http://", "http://[::1", "http://a:b/", "http://u@h/",
                                "http://h/a b", "http://h/a\r\nX: y"}) {
    EXPECT_EQ(error_of([&] {
                get(client, {"GET", url});
              }).code(),
              ErrorCode::invalid_argument)
        << url;
  }
  http_client::Request evil("GET", silent.url());
  evil.headers.emplace_back("X", "a\r\nY: b");
  EXPECT_EQ(error_of([&] { get(client, evil); }).code(), ErrorCode::invalid_argument);
  http_client::Request huge("GET", silent.url());
  huge.headers.emplace_back("X", std::string(70'000, 'x'));
  EXPECT_EQ(error_of([&] { get(client, huge); }).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(error_of([&] {
              get(client, {"GET", "http://h/" + std::string(70'000, 'x')});
            }).code(),
            ErrorCode::invalid_argument);
  http_client::Request trace("TRACE", silent.url());
  trace.body = "x";
  EXPECT_EQ(error_of([&] { get(client, trace); }).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(error_of([] {
              http_client::check_status({404, {}, "no such user"});
            }).message(),
            "the answer was 404: no such user");
  EXPECT_EQ(error_of([] {
              http_client::check_status({404, {}, ""});
            }).code(),
            ErrorCode::not_found);
  EXPECT_EQ(error_of([] {
              http_client::check_status({503, {}, ""});
            }).code(),
            ErrorCode::unavailable);
  EXPECT_EQ(error_of([] { http_client::check_status({204, {}, ""}); }).code(), ErrorCode::ok);
}

TEST(HttpClientTest, WhatComesFromAMessageStaysOnePieceOfThePath) {
  EXPECT_EQ(http_client::percent_encoded("../a b?c=d&e#%/\xc3\xa4-._~9"),
            "..%2Fa%20b%3Fc%3Dd%26e%23%25%2F%C3%A4-._~9");
  EXPECT_EQ(http_client::Url("http://[::1]:8080").origin(), "http://[::1]:8080");
  EXPECT_EQ(http_client::Url("https://h?x=1").origin(), "https://h");
  Other other(
      [](const std::string& request) { return ok(request.substr(0, request.find(" HTTP"))); });
  const http_client::Client client(kPatient);
  EXPECT_EQ(get(client, {"GET", other.url("/a/../%2e/b?c#d")}).body, "GET /a/../%2e/b?c");
  EXPECT_EQ(get(client, {"GET", other.url("?x=1")}).body, "GET /?x=1");
}

enum class Tier { free = 0, paid = 2 };

TEST(HttpClientTest, PutsValuesIntoUrlsThatStayInTheirPlace) {
  std::string url = "http://h/";
  http_client::append_url_value(url, std::string("a/b?c=d&e#f %"));
  url += '/';
  http_client::append_url_value(url, -7);
  url += '/';
  http_client::append_url_value(url, Tier::paid);
  url += "?far=";
  http_client::append_url_value(url, 1e20);
  url += "&on=";
  http_client::append_url_value(url, true);
  url += "&up=";
  http_client::append_url_value(url, "..");
  EXPECT_EQ(url, "http://h/a%2Fb%3Fc%3Dd%26e%23f%20%25/-7/2?far=1e%2B20&on=true&up=..");

  for (const std::string_view before : {"http://h/", "http://h/a/.", "http://h/a/"}) {
    for (const std::string_view value : {".", ".."}) {
      std::string other(before);
      if (other.ends_with('.') && value == "..") continue;
      EXPECT_EQ(error_of([&] { http_client::append_url_value(other, value); }).code(),
                ErrorCode::invalid_argument);
    }
  }
}

TEST(HttpClientTest, ItsOwnHeadersGiveWayAndABodySaysHowLongItIs) {
  Other other([](const std::string&) { return ok("x"); });
  const http_client::Client client(kPatient);
  http_client::Request request("PUT", other.url());
  request.headers = {
      {"user-agent", "me"},    {"content-length", "7"}, {"Transfer-Encoding", "chunked"},
      {"Content-Type", "a/b"}, {"X-Empty", ""},         {"accept", "c/d"}};
  EXPECT_EQ(get(client, request).body, "x");
  const std::string host = other.url("").substr(7);
  EXPECT_EQ(other.requests()[0], "PUT / HTTP/1.1\r\nHost: " + host +
                                     "\r\nuser-agent: me\r\nContent-Type: a/b\r\nX-Empty:\r\n"
                                     "accept: c/d\r\nContent-Length: 0\r\n\r\n");
}

TEST(HttpClientTest, AHeadWithoutEndIsRefused) {
  Other other([](const std::string&) {
    std::string head = "HTTP/1.1 200 OK\r\n";
    for (int line = 0; line < 2000; ++line) head += "X-Header: " + std::string(40, 'x') + "\r\n";
    return head + "\r\n";
  });
  const http_client::Client client(kPatient);
  const Error error = error_of([&] { get(client, {"GET", other.url()}); });
  EXPECT_EQ(error.code(), ErrorCode::resource_exhausted) << error.message();
}

// A certificate of one day that trusts itself, for the address 127.0.0.1.
struct Certificate {
  Certificate() {
    X509_set_version(x509.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x509.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(x509.get()), -60);
    X509_gmtime_adj(X509_getm_notAfter(x509.get()), 86'400);
    X509_set_pubkey(x509.get(), key.get());
    X509_NAME* const name = X509_get_subject_name(x509.get());
    const auto* const common = reinterpret_cast<const unsigned char*>("penstock test");
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, common, -1, -1, 0);
    X509_set_issuer_name(x509.get(), name);
    X509_EXTENSION* const address =
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1");
    X509_add_ext(x509.get(), address, -1);
    X509_EXTENSION_free(address);
    X509_sign(x509.get(), key.get(), EVP_sha256());
    FILE* const file = std::fopen(path.c_str(), "w");
    PEM_write_X509(file, x509.get());
    std::fclose(file);
  }
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;
  ~Certificate() { std::remove(path.c_str()); }

  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key{EVP_EC_gen("P-256"),
                                                                &EVP_PKEY_free};
  const std::unique_ptr<X509, decltype(&X509_free)> x509{X509_new(), &X509_free};
  const std::string path =
      ::testing::TempDir() + "penstock-certificate-" + std::to_string(getpid()) + ".pem";
};

/// Speaks TLS; one connection after the other, each until the client closes it.
class Secure {
 public:
  explicit Secure(const Certificate& certificate)
      : acceptor_(context_, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)),
        port_(acceptor_.local_endpoint().port()) {
    SSL_CTX_use_certificate(tls_.native_handle(), certificate.x509.get());
    SSL_CTX_use_PrivateKey(tls_.native_handle(), certificate.key.get());
    serving_ = std::thread([this] { serve(); });
  }
  Secure(const Secure&) = delete;
  Secure& operator=(const Secure&) = delete;
  ~Secure() {
    shutdown(acceptor_.native_handle(), SHUT_RDWR);
    serving_.join();
  }
  [[nodiscard]] std::string url(const std::string& host) const {
    return "https://" + host + ":" + std::to_string(port_) + "/";
  }

 private:
  void serve() {
    for (;;) {
      boost::system::error_code error;
      boost::asio::ssl::stream<tcp::socket> stream(context_, tls_);
      acceptor_.accept(stream.next_layer(), error);
      if (error) return;
      stream.handshake(boost::asio::ssl::stream_base::server, error);
      std::string bytes;
      while (!error) {
        const std::size_t head =
            boost::asio::read_until(stream, boost::asio::dynamic_buffer(bytes), "\r\n\r\n", error);
        bytes.erase(0, head);
        if (!error) boost::asio::write(stream, boost::asio::buffer(ok("secret")), error);
      }
    }
  }

  boost::asio::io_context context_;
  boost::asio::ssl::context tls_{boost::asio::ssl::context::tls_server};
  tcp::acceptor acceptor_;
  const std::uint16_t port_;
  std::thread serving_;
};

TEST(HttpClientTest, HttpsAsksWhoeverHasACertificateThatIsTrusted) {
  const Certificate certificate;
  const Secure secure(certificate);
  {
    const http_client::Client client({.timeout = testing::kFar, .ca_file = certificate.path});
    for (int time = 0; time < 3; ++time) {
      EXPECT_EQ(get(client, {"GET", secure.url("127.0.0.1")}).body, "secret");
    }
  }
  {
    // It is somebody else's.
    const http_client::Client client({.timeout = testing::kFar, .ca_file = certificate.path});
    const Error error = error_of([&] { get(client, {"GET", secure.url("localhost")}); });
    EXPECT_NE(error.message().find("no connection that can be trusted"), std::string::npos)
        << error.message();
  }
  const http_client::Client client(kPatient);
  const Error error = error_of([&] { get(client, {"GET", secure.url("127.0.0.1")}); });
  EXPECT_EQ(error.code(), ErrorCode::unavailable);
  EXPECT_EQ(error.message(), secure.url("127.0.0.1").substr(0, secure.url("127.0.0.1").size() - 1) +
                                 ": no connection that can be trusted (SSL certificate problem: "
                                 "self-signed certificate)");
}

// Handles are used again: nothing of a request stays in the next one.
TEST(HttpClientTest, ARequestLeavesNothingToTheNextOne) {
  Other other([](const std::string& request) {
    return request.starts_with("HEAD") ? "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n" : ok("x");
  });
  const http_client::Client client(kPatient);
  http_client::Request post("POST", other.url());
  post.headers.emplace_back("X-One", "1");
  post.body = "body";
  const http_client::Request get_it("GET", other.url());
  const http_client::Request head("HEAD", other.url());
  for (const auto& request : {post, get_it, head, post, head, get_it}) {
    const http_client::Response answer = get(client, request);
    EXPECT_EQ(answer.body, request.method == "HEAD" ? "" : "x");
    EXPECT_EQ(answer.headers.size(), request.method == "HEAD" ? 1U : 2U);
  }
  const std::string rest =
      " / HTTP/1.1\r\nHost: " + other.url("").substr(7) + "\r\nUser-Agent: penstock\r\n";
  const std::string posted = "POST" + rest + "X-One: 1\r\nContent-Length: 4\r\n\r\nbody";
  const std::string got = "GET" + rest + "\r\n";
  const std::string head_of_it = "HEAD" + rest + "\r\n";
  EXPECT_EQ(other.requests(),
            (std::vector<std::string>{posted, got, head_of_it, posted, head_of_it, got}));
  EXPECT_EQ(other.connections(), 1);
}

TEST(HttpClientTest, NeverUsesMoreConnectionsThanItMay) {
  std::atomic<int> busy{0};
  std::atomic<int> most{0};
  Other other([&](const std::string&) {
    const int now = ++busy;
    int before = most;
    while (now > before && !most.compare_exchange_weak(before, now)) {
    }
    timespec pause{0, 1'000'000};
    nanosleep(&pause, nullptr);
    --busy;
    return ok("x");
  });
  const http_client::Client client({.connections = 2, .timeout = testing::kFar});
  std::vector<std::thread> threads;
  threads.reserve(6);
  for (int thread = 0; thread < 6; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) EXPECT_EQ(get(client, {"GET", other.url()}).body, "x");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(most, 2);
  EXPECT_LE(other.connections(), 2);
}

TEST(HttpClientTest, EndsAtTheTimeoutWhileItAsksAndWhileItWaitsForItsTurn) {
  std::atomic<bool> let{false};
  Other other([&](const std::string&) {
    let.wait(false);
    return ok("late");
  });
  const http_client::Client client({.connections = 1, .timeout = 50ms});
  std::thread first([&] {
    EXPECT_EQ(error_of([&] {
                get(client, {"GET", other.url()});
              }).code(),
              ErrorCode::deadline_exceeded);
  });
  EXPECT_EQ(error_of([&] {
              get(client, {"GET", other.url()});
            }).code(),
            ErrorCode::deadline_exceeded);
  first.join();
  let = true;
  let.notify_all();
}

// --- in a handler ---

struct Ask {
  std::string url;
};
struct Answered {
  std::string text;
};

struct Asker : Handler {
  using request_type = Ask;
  using response_type = Answered;
  static inline const http_client::Client* client = nullptr;
  static inline std::atomic<int> cancelled{0};
  static Task<Answered> handle(const Ask& request) {
    try {
      http_client::Request asked("GET", request.url);
      const http_client::Response response = co_await client->send(std::move(asked));
      co_return Answered{response.body};
    } catch (const Error& error) {
      if (error.code() == ErrorCode::cancelled) ++cancelled;
      throw;
    }
  }
};

struct AskerTest : ::testing::Test {
  AskerTest() {
    Asker::client = &client;
    Asker::cancelled = 0;
    auto& pool = binary.pool(testing::pool_settings("one", 1));
    service = &binary.service<Asker>("Asker", Kind::async_remote, pool);
    ask = Stub<Ask, Answered>(&binary.site(*service));
    binary.start();
  }
  const http_client::Client client{{.connections = 100, .timeout = testing::kFar}};
  testing::SmallBinary binary;
  call::Service* service = nullptr;
  Stub<Ask, Answered> ask;
};

TEST_F(AskerTest, OneWorkerWaitsForManyAnswersAtOnce) {
  std::atomic<int> waiting{0};
  Other other([&](const std::string&) {
    // Nobody is answered before all have asked.
    if (++waiting == 20) waiting.notify_all();
    for (int now = waiting; now < 20; now = waiting) waiting.wait(now);
    return ok("x");
  });
  std::vector<Future<Answered>> answers;
  answers.reserve(20);
  for (int i = 0; i < 20; ++i) answers.push_back(ask({other.url()}));
  for (auto& answer : answers) EXPECT_EQ(answer.get().text, "x");
}

TEST_F(AskerTest, ADroppedCallEndsItsRequestAndThePoolCanStop) {
  std::atomic<bool> let{false};
  Other other([&](const std::string&) {
    let.wait(false);
    return ok("late");
  });
  {
    auto dropped = ask({other.url()});
    EXPECT_TRUE(eventually([&] { return !other.requests().empty(); }));
  }
  EXPECT_TRUE(eventually([] { return Asker::cancelled == 1; }));
  let = true;
  let.notify_all();
  EXPECT_EQ(ask({other.url()}).get().text, "late");
  binary.stop();
}

TEST_F(AskerTest, ManyRequestsFromManyThreadsAreEachAnsweredOnce) {
  Other other(
      [](const std::string& request) { return ok(request.substr(4, request.find(" HTTP") - 4)); });
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 100; ++i) {
        const std::string target = "/" + std::to_string(thread) + "/" + std::to_string(i);
        EXPECT_EQ(ask({other.url(target)}).get().text, target);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(binary.done(*service), 400U);
}

}  // namespace
}  // namespace penstock
