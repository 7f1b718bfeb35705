// The limit: Vyukov's queue with recycled nodes; and the same queue as Pandora had it, with a node
// from malloc for each item.
#include "harness/vyukov.hpp"
#include "queues/many_to_one.hpp"

namespace compare {
namespace {

using Nodes = RecycledNodes<Vyukov::Node>;

struct Recycled {
  Vyukov queue;

  struct Producer {
    Producer(Recycled& to, unsigned /*number*/) : mailbox(to) {}
    void push(std::uint64_t value) { mailbox.queue.push(nodes.next(value)); }
    Recycled& mailbox;
    Nodes nodes;
  };
  std::uint64_t drain(std::uint64_t& sum) {
    auto* const node = queue.pop();
    if (node == nullptr) return 0;
    sum += Nodes::read(static_cast<Nodes::Message&>(*node));
    return 1;
  }
};

/// Not intrusive: the consumer frees the node before the one it reads.
struct Malloced {
  struct Node {
    std::atomic<Node*> next{nullptr};
    std::uint64_t value = 0;
  };
  alignas(64) std::atomic<Node*> head{new Node};
  alignas(64) Node* tail = head.load();

  Malloced() = default;
  Malloced(const Malloced&) = delete;
  Malloced& operator=(const Malloced&) = delete;
  ~Malloced() { delete tail; }

  struct Producer {
    Producer(Malloced& to, unsigned /*number*/) : queue(to) {}
    void push(std::uint64_t value) {
      Node* const node = new Node;
      node->value = value;
      Node* const previous = queue.head.exchange(node, std::memory_order_acq_rel);
      previous->next.store(node, std::memory_order_release);
    }
    Malloced& queue;
  };
  std::uint64_t drain(std::uint64_t& sum) {
    Node* const next = tail->next.load(std::memory_order_acquire);
    if (next == nullptr) return 0;
    sum += next->value;
    delete tail;
    tail = next;
    return 1;
  }
};

const EnterQueue<Recycled> kRecycled("limit-intrusive", "intrusive Vyukov queue, recycled nodes");
const EnterQueue<Malloced> kMalloced("vyukov-malloc",
                                     "Vyukov's queue with a node from malloc each (Pandora's)");

}  // namespace
}  // namespace compare
