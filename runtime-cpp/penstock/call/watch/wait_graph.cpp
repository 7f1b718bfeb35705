#include "penstock/call/watch/wait_graph.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <tuple>
#include <unordered_map>

#include "penstock/call/await/await.hpp"
#include "penstock/call/await/watched_thread.hpp"

namespace penstock::call {

namespace {

constexpr Nanos kNever = std::numeric_limits<Nanos>::max();

std::string service_of(const Activation& activation) {
  return activation.implementation->service->name.str();
}

// Whose right it has, or waits for: an activation or a call; null where any number may run.
template <class Of>
const Partition* turn_of(const Of& request) {
  const Partitions& partitions = request.implementation->service->partitions;
  return partitions.exist() ? &partitions.at(request.place) : nullptr;
}

struct Node {
  Wait* wait;
  WatchedThread* thread;
  bool stuck = true;
};

class Graph {
 public:
  explicit Graph(std::span<WatchedThread* const> threads) : threads_(threads) {
    for (WatchedThread* const thread : threads) {
      for (Wait* wait = thread->waits.newest; wait != nullptr; wait = wait->next()) {
        nodes_.push_back({wait, thread});
      }
    }
    // Pointers into the list from here on: it does not grow any more.
    for (Node& node : nodes_) {
      const Activation& self = node.wait->self();
      by_self_[&self] = &node;
      if (const Partition* const turn = turn_of(self)) by_turn_[turn] = &node;
      if (node.wait->blocked() != nullptr) asleep_[node.thread->worker] = &node;
    }
  }

  std::vector<Cycle> cycles() {
    std::vector<Cycle> found;
    for (;;) {
      strike_out();
      Node* const start = first_stuck();
      if (start == nullptr) return found;
      const std::vector<Node*> ring = ring_from(*start);
      const std::size_t at = choose(ring);
      found.push_back({ring[at]->wait, ring[at]->thread, names(ring, at)});
      ring[at]->stuck = false;
    }
  }

 private:
  // Strikes out all that may go on.
  void strike_out() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Node& node : nodes_) {
        if (node.stuck && next_of(node) == nullptr) {
          node.stuck = false;
          changed = true;
        }
      }
    }
  }

  Node* first_stuck() {
    const auto found =
        std::find_if(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.stuck; });
    return found == nodes_.end() ? nullptr : &*found;
  }

  template <class Map, class Key>
  static Node* stuck_in(const Map& map, const Key& key) {
    const auto found = map.find(key);
    return found != map.end() && found->second->stuck ? found->second : nullptr;
  }

  // A stuck wait without whose end this one cannot end; null: it may go on.
  Node* next_of(const Node& node) const {
    // One that was let fail, and whose thread is long in coming to it, needs nothing else: a cycle
    // has one victim, and is counted once.
    if (!node.wait->condemned()) {
      if (Node* const callee = holds_up(node.wait->frame())) return callee;
    }
    if (node.wait->blocked() != nullptr) return nullptr;
    // A coroutine goes on where it stopped.
    return stuck_in(asleep_, node.thread->worker);
  }

  // The same for a call.
  Node* holds_up(const Frame& frame) const {
    // Relaxed: who could make a difference ended it before it took the lock that we hold.
    if (frame.ended.load(std::memory_order_relaxed)) return nullptr;
    if (const auto own = by_self_.find(&frame.callee.activation); own != by_self_.end()) {
      return own->second->stuck ? own->second : nullptr;
    }
    const Service& service = *frame.implementation->service;
    if (service.pool->settings().overflow == exec::Overflow::shed_oldest) return nullptr;
    // Not its holder, so behind it.
    if (Node* const holder = stuck_in(by_turn_, turn_of(frame))) return holder;
    return asleep(*service.pool, service.only_worker());
  }

  // One of the waits that keep all threads of a pool, or the one that counts, asleep.
  Node* asleep(const exec::Pool& pool, const exec::Worker* only) const {
    if (only != nullptr) return stuck_in(asleep_, only);
    Node* one = nullptr;
    unsigned threads = 0;
    for (const WatchedThread* const thread : threads_) {
      if (&thread->worker->pool() != &pool) continue;
      one = stuck_in(asleep_, thread->worker);
      if (one == nullptr) return nullptr;
      ++threads;
    }
    // Fewer than it should have: one is being started.
    return threads >= pool.size() ? one : nullptr;
  }

  std::vector<Node*> ring_from(Node& start) const {
    std::vector<Node*> path;
    Node* node = &start;
    for (;;) {
      const auto seen = std::find(path.begin(), path.end(), node);
      if (seen != path.end()) return {seen, path.end()};
      path.push_back(node);
      node = next_of(*node);
    }
  }

  // When the wait would end by itself.
  Nanos deadline_of(const Node& node) const {
    const Nanos deadline = node.wait->frame().deadline_ns;
    // A coroutine on a thread that sleeps does not even notice its deadline.
    const bool notices = node.wait->blocked() != nullptr || !asleep_.contains(node.thread->worker);
    return deadline == 0 || !notices ? kNever : deadline;
  }

  // The victim: the one that would fail first anyway; then one that can be woken at once; then one
  // whose callee has not begun.
  std::size_t choose(const std::vector<Node*>& ring) const {
    const auto rank = [this](const Node& node) {
      return std::tuple(deadline_of(node), node.wait->blocked() == nullptr,
                        by_self_.contains(&node.wait->frame().callee.activation));
    };
    std::size_t best = 0;
    for (std::size_t at = 1; at < ring.size(); ++at) {
      if (rank(*ring[at]) < rank(*ring[best])) best = at;
    }
    return best;
  }

  static std::string names(const std::vector<Node*>& ring, std::size_t from) {
    std::string text = service_of(ring[from]->wait->self());
    for (std::size_t step = 0; step < ring.size(); ++step) {
      const Node& node = *ring[(from + step) % ring.size()];
      const Node& next = *ring[(from + step + 1) % ring.size()];
      const std::string callee = node.wait->frame().implementation->service->name.str();
      const std::string waits = service_of(next.wait->self());
      text += " -> " + callee;
      // It needs the thread, and no answer, of the next one.
      if (callee != waits) text += " -> " + waits;
    }
    return text;
  }

  std::span<WatchedThread* const> threads_;
  std::vector<Node> nodes_;
  std::unordered_map<const Activation*, Node*> by_self_;
  std::unordered_map<const Partition*, Node*> by_turn_;
  std::unordered_map<const exec::Worker*, Node*> asleep_;
};

// On its way to a coroutine's worker.
struct Verdict : exec::Job {
  Verdict(std::uint64_t wait, std::unique_ptr<Error> why) noexcept
      : serial(wait), deadlock(std::move(why)) {
    run = &deliver;
  }

  static void deliver(exec::Job& job) noexcept {
    const std::unique_ptr<Verdict> verdict(&static_cast<Verdict&>(job));
    WatchedThread* const thread = t_turn.watched;
    if (thread == nullptr) return;
    FrameAwait* coroutine = nullptr;
    {
      const std::lock_guard hold(thread->waits.lock);
      for (const Wait* wait = thread->waits.newest; wait != nullptr; wait = wait->next()) {
        if (wait->serial() == verdict->serial) coroutine = wait->coroutine();
      }
    }
    if (coroutine != nullptr) coroutine->give_up(std::move(verdict->deadlock));
  }

  const std::uint64_t serial;
  std::unique_ptr<Error> deadlock;
};

}  // namespace

std::vector<Cycle> find_cycles(std::span<WatchedThread* const> threads) {
  return Graph(threads).cycles();
}

bool break_cycle(const Cycle& cycle) {
  Wait& wait = *cycle.victim;
  auto deadlock = std::make_unique<Error>(ErrorCode::deadlock,
                                          "call to " + wait.frame().implementation->service->name +
                                              " can never be answered: " + cycle.names);
  if (BlockedWait* const blocked = wait.blocked()) {
    if (!blocked->give_up(wait.frame(), std::move(deadlock))) return false;
  } else {
    cycle.thread->worker->post(*new Verdict(wait.serial(), std::move(deadlock)));
  }
  wait.condemn();
  return true;
}

}  // namespace penstock::call
