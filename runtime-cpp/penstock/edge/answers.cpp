#include "penstock/edge/answers.hpp"

#include <new>

#include "penstock/edge/connection.hpp"

namespace penstock::edge {

void Answers::put(Answer answer) {
  {
    const std::lock_guard hold(mutex_);
    waiting_.push_back(std::move(answer));
    if (std::exchange(woken_, true)) return;
  }
  try {
    wake_();
  } catch (const std::bad_alloc&) {
    const std::lock_guard hold(mutex_);
    woken_ = false;  // the next one tries again
    throw;
  }
}

void Answers::deliver() {
  std::vector<Answer> all;
  {
    const std::lock_guard hold(mutex_);
    all.swap(waiting_);
    woken_ = false;
  }
  for (Answer& answer : all) {
    const std::shared_ptr<Connection> connection = answer.to.lock();
    if (connection == nullptr) continue;
    try {
      connection->take_answer(answer.request, std::move(answer.reply));
    } catch (const std::bad_alloc&) {
      // The request's time limit answers, and the others have theirs now.
    }
  }
}

}  // namespace penstock::edge
