// gRPC over TCP, at its quickest: its asynchronous interface, a completion queue and the thread
// that polls it at each end, and messages that are passed on as bytes, so that no codec is
// measured.
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/measure.hpp"

namespace compare {
namespace {

/// What an asynchronous step of gRPC's leads to.
struct Step {
  Step() = default;
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  virtual ~Step() = default;
  virtual void done(bool ok) = 0;
};

/// Runs what a queue has until it is shut down.
void run(grpc::CompletionQueue& queue) {
  void* tag = nullptr;
  bool ok = false;
  while (queue.Next(&tag, &ok)) static_cast<Step*>(tag)->done(ok);
}

/// Answers every call with its request.
class Server {
 public:
  Server() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterAsyncGenericService(&service_);
    queue_ = builder.AddCompletionQueue();
    server_ = builder.BuildAndStart();
    thread_ = std::thread([this] {
      pin(1);
      for (int call = 0; call < kTaken; ++call) take();
      run(*queue_);
    });
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() {
    server_->Shutdown();
    queue_->Shutdown();
    thread_.join();
  }
  [[nodiscard]] int port() const noexcept { return port_; }

 private:
  /// Calls that it waits for at once.
  static constexpr int kTaken = 128;

  struct Call final : Step {
    explicit Call(Server& its_server) : server(its_server) {
      server.service_.RequestCall(&context, &stream, server.queue_.get(), server.queue_.get(),
                                  this);
    }
    void done(bool ok) override {
      if (!ok || next == 2) {
        if (next != 0) server.take();
        delete this;
        return;
      }
      if (next++ == 0) {
        stream.Read(&bytes, this);
      } else {
        stream.WriteAndFinish(bytes, {}, grpc::Status::OK, this);
      }
    }
    Server& server;
    grpc::GenericServerContext context;
    grpc::GenericServerAsyncReaderWriter stream{&context};
    grpc::ByteBuffer bytes;
    int next = 0;  // to read, to answer, to end
  };
  void take() { new Call(*this); }  // ends itself

  int port_ = 0;
  grpc::AsyncGenericService service_;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::unique_ptr<grpc::Server> server_;
  std::thread thread_;
};

/// Keeps so many calls under way.
class Client {
 public:
  Client(int port, unsigned window)
      : window_(window),
        stub_(grpc::CreateChannel("127.0.0.1:" + std::to_string(port),
                                  grpc::InsecureChannelCredentials())) {}

  void make(std::uint64_t& count) {
    left_ = count;
    done_ = 0;
    for (unsigned call = 0; call < window_; ++call) ask();
    void* tag = nullptr;
    bool ok = false;
    while (done_ < count && queue_.Next(&tag, &ok)) static_cast<Step*>(tag)->done(ok);
  }

 private:
  struct Call final : Step {
    explicit Call(Client& its_client) : client(its_client) {
      reader =
          client.stub_.PrepareUnaryCall(&context, "/Bench/Echo", client.request_, &client.queue_);
      reader->StartCall();
      reader->Finish(&answer, &status, this);
    }
    void done(bool /*ok*/) override {
      if (!status.ok()) throw std::runtime_error("gRPC: " + status.error_message());
      Client& its_client = client;
      delete this;
      ++its_client.done_;
      its_client.ask();
    }
    Client& client;
    grpc::ClientContext context;
    std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
    grpc::ByteBuffer answer;
    grpc::Status status;
  };
  void ask() {
    if (left_ == 0) return;
    --left_;
    new Call(*this);  // ends itself
  }

  const unsigned window_;
  std::uint64_t left_ = 0;
  std::uint64_t done_ = 0;
  const grpc::Slice slice_{"0123456789"};
  const grpc::ByteBuffer request_{&slice_, 1};
  grpc::CompletionQueue queue_;
  grpc::GenericStub stub_;
};

template <unsigned window>
double rate() {
  const Server server;
  pin(0);
  Client client(server.port(), window);
  return rate_of([&client](std::uint64_t& count) { client.make(count); });
}

const Enter kOne({"remote-call/tcp/park", "grpc", "gRPC's asynchronous interface, bytes passed on",
                  &rate<1>});
const Enter kOutstanding({"remote-call/tcp-64", "grpc",
                          "gRPC's asynchronous interface, bytes passed on", &rate<64>});

}  // namespace
}  // namespace compare
