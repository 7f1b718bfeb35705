#pragma once

#include <utility>

namespace penstock::call {

struct Local;

/// What the runtime knows about a type of which requests carry an object. Its address stands for
/// the type.
struct LocalType {
  void (*destroy)(Local& local) noexcept;
  /// Throws std::bad_alloc, and what copying the object throws. Null: it cannot be copied.
  Local* (*copy)(const Local& local);
};

/// An object that travels with a request, in a block of its own (local.hpp).
struct Local {
  Local* before = nullptr;  ///< made before it
  const LocalType* type = nullptr;
};

/// The objects that travel with one request, the newest first; one of a type. Most carry none.
/// Belongs to whoever runs or queues the request.
class Locals {
 public:
  /// Stands at the end of the list of one who runs requests that carry nothing, one after another,
  /// and passes on what the request at hand got (flow/graph/segment.hpp).
  struct Passing : Local {
    /// It got its first one.
    void (*got)(Passing& self) noexcept = nullptr;
  };

  Locals() noexcept = default;
  Locals(const Locals&) = delete;
  Locals& operator=(const Locals&) = delete;
  ~Locals() {
    if (last_ != nullptr) [[unlikely]]
      end();
  }

  [[nodiscard]] bool empty() const noexcept { return last_ == nullptr || last_->type == nullptr; }
  /// Null: there is none.
  [[nodiscard]] Local* find(const LocalType& type) const noexcept;
  /// It is the newest one; there is none of its type.
  void add(Local& local) noexcept;
  /// Destroys that of this type, if there is one.
  void remove(const LocalType& type) noexcept;
  /// Destroys all, the newest first.
  void end() noexcept;
  /// Copies of all that can be copied, to one without any. Throws what a copy throws, with those
  /// made before it in place.
  void copy_to(Locals& to) const;
  /// All of them, to one without any.
  void move_to(Locals& to) noexcept;
  void swap(Locals& other) noexcept { std::swap(last_, other.last_); }
  /// While it is empty.
  void pass_on(Passing& passing) noexcept { last_ = &passing; }

 private:
  Local* last_ = nullptr;
};

}  // namespace penstock::call
