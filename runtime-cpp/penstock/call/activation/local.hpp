#pragma once

#include <new>
#include <type_traits>
#include <utility>

#include "penstock/call/activation/activation.hpp"
#include "penstock/concurrent/cache_line.hpp"
#include "penstock/concurrent/recycler.hpp"

/// What Context says of the objects that travel with a request, once their types are known.
namespace penstock::call {

template <class T>
struct LocalOf final : Local {
  template <class... Args>
  explicit LocalOf(Args&&... args) : value(std::forward<Args>(args)...) {}

  template <class... Args>
  [[nodiscard]] static LocalOf* make(Args&&... args);
  static void destroy(Local& local) noexcept {
    auto& self = static_cast<LocalOf&>(local);
    self.~LocalOf();
    concurrent::release(&self, sizeof(LocalOf));
  }
  static Local* copy(const Local& local) {
    return make(std::as_const(static_cast<const LocalOf&>(local).value));
  }

  T value;
};

template <class T>
[[nodiscard]] constexpr LocalType local_type() {
  LocalType type{.destroy = &LocalOf<T>::destroy, .copy = nullptr};
  if constexpr (std::is_copy_constructible_v<T>) type.copy = &LocalOf<T>::copy;
  return type;
}
template <class T>
inline constexpr LocalType kLocalType = local_type<T>();

template <class T>
template <class... Args>
LocalOf<T>* LocalOf<T>::make(Args&&... args) {
  static_assert(std::is_object_v<T> && std::is_same_v<T, std::remove_cv_t<T>>);
  static_assert(alignof(LocalOf) <= concurrent::kLine);
  void* const memory = concurrent::allocate(sizeof(LocalOf));
  LocalOf* made = nullptr;
  try {
    made = ::new (memory) LocalOf(std::forward<Args>(args)...);
  } catch (...) {
    concurrent::release(memory, sizeof(LocalOf));
    throw;
  }
  made->type = &kLocalType<T>;
  return made;
}

/// Of the request that the calling code serves. Throws Error(failed_precondition) on a thread that
/// serves none.
[[nodiscard]] Locals& own_locals();

}  // namespace penstock::call

namespace penstock {

template <class T>
T& Context::local() const {
  call::Locals& locals = call::own_locals();
  if (call::Local* const known = locals.find(call::kLocalType<T>)) {
    return static_cast<call::LocalOf<T>*>(known)->value;
  }
  auto* const made = call::LocalOf<T>::make();
  // Its constructor may have made one by itself.
  locals.remove(call::kLocalType<T>);
  locals.add(*made);
  return made->value;
}

template <class T>
T* Context::find_local() const noexcept {
  const call::Activation* const activation = call::current_activation();
  if (activation == nullptr) return nullptr;
  call::Local* const known = activation->locals.find(call::kLocalType<T>);
  return known == nullptr ? nullptr : &static_cast<call::LocalOf<T>*>(known)->value;
}

template <class T>
std::remove_cvref_t<T>& Context::set_local(T&& value) const {
  using Kept = std::remove_cvref_t<T>;
  call::Locals& locals = call::own_locals();
  auto* const made = call::LocalOf<Kept>::make(std::forward<T>(value));
  locals.remove(call::kLocalType<Kept>);
  locals.add(*made);
  return made->value;
}

}  // namespace penstock
