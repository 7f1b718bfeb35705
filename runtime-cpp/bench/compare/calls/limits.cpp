// What the hardware gives to anyone: two cache lines that two threads set in turn, and the least
// that a mailbox of many callers costs.
#include <array>
#include <cstdint>
#include <thread>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/measure.hpp"
#include "harness/vyukov.hpp"
#include "harness/wait.hpp"

namespace compare {
namespace {

constexpr std::uint32_t kStop = ~0U;

template <Wait wait>
double two_signals() {
  Signal<wait> request;
  Signal<wait> response;
  std::thread server([&request, &response] {
    pin(1);
    for (std::uint32_t seen = 0;;) {
      seen = request.past(seen);
      if (seen == kStop) return;
      response.set(seen);
    }
  });
  pin(0);
  std::uint32_t last = 0;
  const double rate = rate_of([&](std::uint64_t count) {
    for (std::uint64_t call = 0; call < count; ++call) {
      const std::uint32_t next = (last + 1) & 0x7FFFFFFFU;
      request.set(next);
      last = response.past(last);
    }
  });
  request.set(kStop);
  server.join();
  return rate;
}

/// A message that is the node, with the slot its answer is put into.
struct alignas(64) Message : Vyukov::Node {
  std::int64_t request = 0;
  std::int64_t response = 0;
  bool stop = false;
  std::atomic<bool> answered{false};
};

/// A server on the second CPU with an intrusive mailbox; both sides spin.
class MailboxServer {
 public:
  MailboxServer() : thread_([this] { serve(); }) { pin(0); }
  MailboxServer(const MailboxServer&) = delete;
  MailboxServer& operator=(const MailboxServer&) = delete;
  ~MailboxServer() {
    Message last;
    last.stop = true;
    mailbox_.push(last);
    thread_.join();
  }

  void send(Message& message, std::int64_t request) noexcept {
    message.request = request;
    message.answered.store(false, std::memory_order_relaxed);
    mailbox_.push(message);
  }
  static void wait(const Message& message) noexcept {
    while (!message.answered.load(std::memory_order_acquire)) {
    }
    keep(message.response);
  }

 private:
  void serve() {
    pin(1);
    for (;;) {
      auto* const message = static_cast<Message*>(mailbox_.pop());
      if (message == nullptr) continue;
      if (message->stop) return;
      message->response = message->request;
      message->answered.store(true, std::memory_order_release);
    }
  }

  Vyukov mailbox_;
  std::thread thread_;
};

template <std::size_t window>
double outstanding() {
  MailboxServer server;
  std::array<Message, window> messages;
  return rate_of([&](std::uint64_t count) {
    for (Message& message : messages) server.send(message, 0);
    for (std::uint64_t call = 0; call + window < count; ++call) {
      Message& message = messages[call % window];
      MailboxServer::wait(message);
      server.send(message, static_cast<std::int64_t>(call));
    }
    for (Message& message : messages) MailboxServer::wait(message);
  });
}

template <std::size_t width>
double fan_out() {
  MailboxServer server;
  std::array<Message, width> messages;
  return rate_of([&](std::uint64_t count) {
    for (std::uint64_t call = 0; call < count; ++call) {
      for (Message& message : messages) server.send(message, static_cast<std::int64_t>(call));
      for (Message& message : messages) MailboxServer::wait(message);
    }
  });
}

/// One thread's own queue of intrusive nodes, each with the function that runs it.
double own_queue() {
  struct Node {
    Node* next = nullptr;
    void (*run)(Node&) = nullptr;
    std::int64_t request = 0;
    std::int64_t response = 0;
  };
  struct Queue {
    Node* oldest = nullptr;
    Node* newest = nullptr;
    void push(Node& node) {
      node.next = nullptr;
      (oldest == nullptr ? oldest : newest->next) = &node;
      newest = &node;
    }
    Node* pop() {
      Node* const node = oldest;
      if (node != nullptr) oldest = node->next;
      return node;
    }
  } queue;
  pin(0);
  Node node;
  node.run = [](Node& call) { call.response = call.request; };
  return rate_of([&](std::uint64_t count) {
    for (std::uint64_t call = 0; call < count; ++call) {
      node.request = static_cast<std::int64_t>(call);
      keep(&node);
      queue.push(node);
      keep(&queue);
      Node* const taken = queue.pop();
      taken->run(*taken);
      keep(taken->response);
    }
  });
}

struct Callee {
  Callee() = default;
  Callee(const Callee&) = delete;
  Callee& operator=(const Callee&) = delete;
  virtual ~Callee() = default;
  [[nodiscard]] virtual std::int64_t handle(const std::int64_t& request) = 0;
};
struct EchoCallee final : Callee {
  [[nodiscard, gnu::noinline]] std::int64_t handle(const std::int64_t& request) override {
    return request;
  }
};

double virtual_call() {
  pin(0);
  EchoCallee echo;
  Callee* callee = &echo;
  return rate_of([&](std::uint64_t count) {
    for (std::uint64_t call = 0; call < count; ++call) {
      keep(&callee);  // The compiler may not know who it is.
      keep(callee->handle(static_cast<std::int64_t>(call)));
    }
  });
}

constexpr auto kMailbox = "intrusive MPSC mailbox and a response slot, both spin";

const Enter kAtomics({"ping-pong/spin", "limit-atomics", "two padded atomics, both spin",
                      two_signals<Wait::spin>});
const Enter kOne({"ping-pong/spin", "limit-mailbox", kMailbox, outstanding<1>});
const Enter kAdaptive({"ping-pong/adaptive", "limit-atomics",
                       "two padded atomics, 500 pauses, then a futex",
                       two_signals<Wait::adaptive>});
const Enter kOneAdaptive({"ping-pong/adaptive", "limit-mailbox", kMailbox, outstanding<1>});
const Enter kPark({"ping-pong/park", "limit-futex", "two padded atomics, a futex each way",
                   two_signals<Wait::park>});
const Enter kMany({"outstanding-64", "limit-mailbox", kMailbox, outstanding<64>});
const Enter kFanOut({"fan-out-3", "limit-mailbox", kMailbox, fan_out<3>});
const Enter kOwn({"own-mailbox", "limit-queue", "a linked list and a function pointer", own_queue});
const Enter kInline({"inline-call", "limit-virtual", "a virtual function", virtual_call});

}  // namespace
}  // namespace compare
