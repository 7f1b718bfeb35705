#include "penstock/call/activation/locals.hpp"

#include "penstock/base/error.hpp"
#include "penstock/call/activation/local.hpp"

namespace penstock::call {

Local* Locals::find(const LocalType& type) const noexcept {
  Local* local = last_;
  while (local != nullptr && local->type != &type) local = local->before;
  return local;
}

void Locals::add(Local& local) noexcept {
  local.before = std::exchange(last_, &local);
  if (local.before != nullptr && local.before->type == nullptr) {
    auto& passing = static_cast<Passing&>(*local.before);
    passing.got(passing);
  }
}

void Locals::remove(const LocalType& type) noexcept {
  for (Local** at = &last_; *at != nullptr; at = &(*at)->before) {
    Local& local = **at;
    if (local.type != &type) continue;
    *at = local.before;
    local.type->destroy(local);
    return;
  }
}

void Locals::end() noexcept {
  // What is destroyed may make others.
  while (!empty()) {
    Local& local = *last_;
    last_ = local.before;
    local.type->destroy(local);
  }
}

void Locals::copy_to(Locals& to) const {
  Local** end = &to.last_;
  for (const Local* local = last_; local != nullptr && local->type != nullptr;
       local = local->before) {
    if (local->type->copy == nullptr) continue;
    *end = local->type->copy(*local);
    end = &(*end)->before;
  }
}

void Locals::move_to(Locals& to) noexcept {
  Local** end = &last_;
  while (*end != nullptr && (*end)->type != nullptr) end = &(*end)->before;
  if (end == &last_) return;
  Local* const passing = std::exchange(*end, nullptr);
  to.last_ = std::exchange(last_, passing);
}

Locals& own_locals() {
  Activation* const activation = current_activation();
  if (activation == nullptr) {
    throw Error(ErrorCode::failed_precondition,
                "this thread serves no request that an object could travel with");
  }
  return activation->locals;
}

}  // namespace penstock::call
