#include "world/sockets.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "world/step.hpp"
#include "world/waiting.hpp"

namespace penstock::world {

namespace {

Sockets* g_sockets = nullptr;

int refused(int error) noexcept {
  errno = error;
  return -1;
}

}  // namespace

Sockets::Sockets(Random& random) : random_(random) {
  delay_ = random.one_of<Nanos>({0, 10'000, 200'000, 5'000'000});
  jitter_ = random.one_of<Nanos>({0, 50'000, 3'000'000});
  room_ = random.one_of<std::size_t>({64, 1024, 1U << 16U});
  pieces_in_ = random.one_of<std::uint64_t>({0, 2, 10});
  g_sockets = this;
}

Sockets::~Sockets() { g_sockets = nullptr; }

Sockets* Sockets::current() noexcept { return g_sockets; }

void Sockets::forget() noexcept { g_sockets = nullptr; }

Sockets::File& Sockets::at(int number) const {
  return *files_[static_cast<std::size_t>(number - kFirst)];
}

int Sockets::number_of(const File& file) const noexcept {
  const auto is_it = [&file](const auto& each) { return each.get() == &file; };
  return kFirst +
         static_cast<int>(std::find_if(files_.begin(), files_.end(), is_it) - files_.begin());
}

// The lowest number that is free, as the kernel gives it: who uses one that it has closed uses
// another one's.
int Sockets::add(File::Kind kind) {
  const auto free = std::find(files_.begin(), files_.end(), nullptr);
  const auto place = free - files_.begin();
  if (free == files_.end()) files_.emplace_back();
  files_[static_cast<std::size_t>(place)] = std::make_unique<File>();
  files_[static_cast<std::size_t>(place)]->kind = kind;
  return kFirst + static_cast<int>(place);
}

std::size_t Sockets::open() const noexcept {
  return static_cast<std::size_t>(std::count_if(files_.begin(), files_.end(),
                                                [](const auto& file) { return file != nullptr; }));
}

// --- on the way ---

// Of a stream not before what was sent before it.
Nanos Sockets::arrival(const File& to) {
  if (to.local) return now();
  Nanos when = now() + delay_;
  if (jitter_ != 0) when += static_cast<Nanos>(random_.below(static_cast<std::uint64_t>(jitter_)));
  if (const auto held = held_.find(to.port); held != held_.end())
    when = std::max(when, held->second);
  if (to.coming.empty() || to.kind == File::Kind::datagrams) return when;
  return std::max(when, to.coming.back().at);
}

void Sockets::put(int to, Coming coming) {
  File& file = at(to);
  coming.at = arrival(file);
  file.bytes_coming += coming.bytes.size();
  const auto later =
      std::upper_bound(file.coming.begin(), file.coming.end(), coming.at,
                       [](Nanos when, const Coming& each) { return when < each.at; });
  file.coming.insert(later, std::move(coming));
  tell(file);
}

// What waits for it looks again when the next of it is due.
void Sockets::tell(File& file) {
  ++writes;
  if (file.epoll >= 0) wake_at(&at(file.epoll), kAll);
}

// What comes later than that is lost.
void Sockets::fail(int number, int error) {
  File& file = at(number);
  if (file.failed || file.kind != File::Kind::stream) return;
  const Nanos when =
      now() +
      static_cast<Nanos>(random_.below(static_cast<std::uint64_t>(2 * (delay_ + jitter_) + 1)));
  while (!file.coming.empty() && file.coming.back().at > when) {
    file.bytes_coming -= file.coming.back().bytes.size();
    file.coming.pop_back();
  }
  file.coming.push_back({.at = when, .what = Coming::What::failure, .bytes = {}, .error = error});
  file.failed = true;
  tell(file);
}

void Sockets::settle(File& file) {
  while (!file.coming.empty() && file.coming.front().at <= now()) {
    Coming next = std::move(file.coming.front());
    file.coming.pop_front();
    file.news = true;
    switch (next.what) {
      case Coming::What::connection:
        file.connected = true;
        if (file.kind == File::Kind::listener) file.to_accept.push_back(next.number);
        break;
      case Coming::What::bytes:
        file.bytes_coming -= next.bytes.size();
        if (file.kind == File::Kind::datagrams) {
          file.datagrams.push_back(std::move(next));
        } else {
          const std::uint64_t begin = file.read + file.here.size();
          file.here += next.bytes;
          if (next.beside >= 0)
            file.beside.push_back({begin, begin + next.bytes.size(), next.beside});
        }
        break;
      case Coming::What::end:
        file.ended = true;
        break;
      case Coming::What::failure:
        file.error = next.error;
        // One for datagrams goes on.
        if (file.kind != File::Kind::datagrams) file.ended = file.failed = true;
    }
  }
}

void Sockets::each_at(std::uint16_t port, const std::function<void(int, File&)>& what) {
  for (std::size_t place = 0; place < files_.size(); ++place) {
    File* const file = files_[place].get();
    if (file != nullptr && file->port == port) what(kFirst + static_cast<int>(place), *file);
  }
}

void Sockets::change_some() {
  pieces_changed_in_ = random_.one_of<std::uint64_t>({5, 20, 100});
  most_changed_ = static_cast<unsigned>(random_.between(1, 12));
}

void Sockets::break_links(std::uint16_t port) {
  step_to_write();
  each_at(port, [this](int number, File& file) {
    if (file.kind == File::Kind::datagrams) {
      std::erase_if(file.coming, [&file](const Coming& each) {
        if (each.at <= now()) return false;
        file.bytes_coming -= each.bytes.size();
        return true;
      });
    }
    if (file.kind != File::Kind::stream || file.failed || file.ended) return;
    if (file.other >= 0 && number < file.other) ++broken_;
    fail(number, ECONNRESET);
  });
}

void Sockets::kill(std::uint16_t port) {
  each_at(port, [this](int /*number*/, File& file) {
    if (file.kind == File::Kind::listener) file.port = 0;
    if (file.kind != File::Kind::datagrams || file.own == 0 || file.own != file.port) return;
    if (file.peer != 0 && datagrams_at(file.peer, file.own) != nullptr) ++broken_;
    file.dead = file.news = true;
    tell(file);
  });
  break_links(port);
}

void Sockets::hold(std::uint16_t port, Nanos until) {
  step_to_write();
  held_[port] = until;
  each_at(port, [&](int /*number*/, File& file) {
    for (Coming& each : file.coming) {
      if (each.at > now()) each.at = std::max(each.at, until);
    }
  });
}

// --- streams ---

int Sockets::socket(bool stream, bool local) {
  step();
  const int number = add(stream ? File::Kind::stream : File::Kind::datagrams);
  at(number).local = local;
  return number;
}

int Sockets::bind(int number, std::uint16_t port) {
  step();
  for (const auto& file : files_) {
    if (file && file->kind == File::Kind::listener && file->port == port)
      return refused(EADDRINUSE);
  }
  at(number).port = at(number).own = port;
  return 0;
}

int Sockets::listen(int number) {
  step_to_write();
  at(number).kind = File::Kind::listener;
  return 0;
}

std::uint16_t Sockets::port(int number) const { return at(number).port; }

int Sockets::connect(int number, std::uint16_t port) {
  step_to_write();
  if (File& file = at(number); file.kind == File::Kind::datagrams) {
    if (file.own == 0) {
      file.own = next_port_++;
      file.port = port;
    }
    file.peer = port;
    return 0;
  }
  at(number).port = port;
  int listening = -1;
  each_at(port, [&listening](int each, const File& file) {
    if (file.kind == File::Kind::listener) listening = each;
  });
  const bool local = at(number).local;
  if (listening < 0) {
    if (local || random_.once_in(2)) return refused(ECONNREFUSED);
    put(number, {.what = Coming::What::failure, .bytes = {}, .error = ECONNREFUSED});
    at(number).failed = true;
    return refused(EINPROGRESS);
  }
  const int other = add(File::Kind::stream);
  at(other).port = port;
  at(other).connected = true;
  at(other).other = number;
  at(number).other = other;
  at(other).local = local;
  put(listening, {.what = Coming::What::connection, .bytes = {}, .number = other});
  if (local) {
    at(number).connected = true;
    return 0;
  }
  put(number, {.what = Coming::What::connection, .bytes = {}});
  return refused(EINPROGRESS);
}

int Sockets::accept(int number) {
  step_to_write();
  File& file = at(number);
  settle(file);
  if (file.to_accept.empty()) return refused(EAGAIN);
  const int next = file.to_accept.front();
  file.to_accept.pop_front();
  return next;
}

std::size_t Sockets::room_to(const File& other) const noexcept {
  const std::size_t held = other.bytes_coming + other.here.size();
  return held >= room_ ? 0 : room_ - held;
}

ssize_t Sockets::send(int number, std::string_view bytes, int beside) {
  step_to_write();
  File& file = at(number);
  settle(file);
  if (file.kind == File::Kind::datagrams) {
    if (const int error = error_of(file); error != 0) return refused(error);
    send_datagram(file, file.peer, bytes);
    return static_cast<ssize_t>(bytes.size());
  }
  if (file.error != 0) return refused(std::exchange(file.error, 0));
  if (!file.connected) return refused(EAGAIN);
  if (file.other < 0) {
    // Nobody is there, which it is told when that comes back.
    if (file.failed) return refused(EPIPE);
    fail(number, ECONNRESET);
    return static_cast<ssize_t>(bytes.size());
  }
  File& other = at(file.other);
  const std::size_t count = std::min(bytes.size(), room_to(other));
  if (count == 0) {
    file.wants_room = true;
    return refused(EAGAIN);
  }
  // One that broke for the other end takes what nobody gets.
  if (other.failed) return static_cast<ssize_t>(count);
  if (beside >= 0) {
    put(file.other, {.bytes = std::string(bytes.substr(0, count)),
                     .beside = fcntl(beside, F_DUPFD_CLOEXEC, 0)});
    return static_cast<ssize_t>(count);
  }
  const std::size_t first = random_.once_in(pieces_in_) ? 1 + random_.below(count) : count;
  put_bytes(file.other, bytes.substr(0, first));
  if (first != count) put_bytes(file.other, bytes.substr(first, count - first));
  return static_cast<ssize_t>(count);
}

void Sockets::put_bytes(int to, std::string_view bytes) {
  std::string come(bytes);
  if (changed_ != most_changed_ && random_.once_in(pieces_changed_in_)) {
    turn_bits(come);
    ++changed_;
  }
  put(to, {.bytes = std::move(come)});
}

// Up to the end of what came with a descriptor, which comes with the first byte of that.
std::size_t Sockets::take_beside(File& file, std::size_t count, int* beside) {
  if (file.beside.empty() || file.read + count <= file.beside.front().begin) return count;
  const Beside first = file.beside.front();
  file.beside.pop_front();
  if (beside != nullptr) {
    *beside = first.number;
  } else {
    ::close(first.number);
  }
  return std::min(count, static_cast<std::size_t>(first.end - file.read));
}

ssize_t Sockets::receive(int number, char* to, std::size_t room, int* beside) {
  step_to_write();
  File& file = at(number);
  settle(file);
  if (std::uint16_t port = 0; file.kind == File::Kind::datagrams)
    return receive_from(number, port, to, room);
  if (!file.here.empty()) {
    const std::size_t count = take_beside(file, std::min(room, file.here.size()), beside);
    file.read += count;
    file.here.copy(to, count);
    file.here.erase(0, count);
    if (file.other >= 0 && std::exchange(at(file.other).wants_room, false)) {
      at(file.other).news = true;
      tell(at(file.other));
    }
    return static_cast<ssize_t>(count);
  }
  if (file.error != 0) return refused(std::exchange(file.error, 0));
  if (file.ended) return 0;
  return refused(EAGAIN);
}

// One that had not read all says so: what it had sent may be lost with it.
int Sockets::close(int number) {
  step_to_write();
  File& file = at(number);
  if (file.epoll >= 0) std::erase(at(file.epoll).watched, number);
  for (const int each : file.watched) at(each).epoll = -1;
  for (Coming& each : file.coming) {
    if (each.what == Coming::What::connection && each.number != 0)
      file.to_accept.push_back(each.number);
  }
  for (const Coming& each : file.coming) {
    if (each.beside >= 0) ::close(each.beside);
  }
  for (const Beside& each : file.beside) ::close(each.number);
  for (const int each : file.to_accept) {
    if (const int other = at(each).other; other >= 0) {
      at(other).other = -1;
      fail(other, ECONNRESET);
    }
    files_[static_cast<std::size_t>(each - kFirst)] = nullptr;
  }
  if (file.kind == File::Kind::stream && file.other >= 0) {
    at(file.other).other = -1;
    if (!file.here.empty()) {
      fail(file.other, ECONNRESET);
    } else if (!at(file.other).failed) {
      put(file.other, {.what = Coming::What::end, .bytes = {}});
    }
  }
  files_[static_cast<std::size_t>(number - kFirst)] = nullptr;
  return 0;
}

// --- datagrams ---

void Sockets::lose_some() {
  lost_in_ = random_.one_of<std::uint64_t>({0, 5, 20, 100});
  twice_in_ = random_.one_of<std::uint64_t>({0, 10});
}

void Sockets::forge_some() {
  changed_in_ = random_.one_of<std::uint64_t>({0, 5, 20, 100});
  forged_in_ = random_.one_of<std::uint64_t>({0, 5, 50});
}

Sockets::File* Sockets::datagrams_at(std::uint16_t port, std::uint16_t peer) const noexcept {
  for (const auto& file : files_) {
    if (file != nullptr && file->kind == File::Kind::datagrams && file->own == port &&
        file->peer == peer && !file->dead)
      return file.get();
  }
  return nullptr;
}

int Sockets::error_of(File& datagrams) {
  return datagrams.dead ? ECONNREFUSED : std::exchange(datagrams.error, 0);
}

// Who is there when it is sent gets it: the one that is connected to the sender, else the one that
// is to nobody.
Sockets::File* Sockets::who_gets(std::uint16_t port, std::uint16_t from) const noexcept {
  File* const connected = datagrams_at(port, from);
  return connected != nullptr ? connected : datagrams_at(port, 0);
}

void Sockets::put_datagram(File& to, std::uint16_t from, std::string_view bytes) {
  constexpr std::size_t kRoom = std::size_t{1} << 16U;
  if (to.bytes_coming >= kRoom) return;
  std::string come(bytes);
  if (random_.once_in(changed_in_)) {
    change(come);
    forged_.push_back(come);
  }
  put(number_of(to), {.bytes = std::move(come), .from = from});
}

// Where nobody is the sender is told.
void Sockets::send_datagram(File& from, std::uint16_t port, std::string_view bytes) {
  constexpr std::size_t kKept = 16;
  if (random_.once_in(forged_in_)) forge();
  if (forged_in_ != 0) {
    went_.push_back({from.own, port, std::string(bytes)});
    if (went_.size() > kKept) went_.pop_front();
  }
  if (random_.once_in(lost_in_)) return;
  File* const to = who_gets(port, from.own);
  if (to == nullptr) {
    if (from.peer != 0)
      put(number_of(from), {.what = Coming::What::failure, .bytes = {}, .error = ECONNREFUSED});
    return;
  }
  for (int copies = random_.once_in(twice_in_) ? 2 : 1; copies > 0; --copies)
    put_datagram(*to, from.own, bytes);
}

void Sockets::turn_bits(std::string& bytes) {
  for (int bits = random_.one_of({1, 1, 2, 20}); bits > 0; --bits) {
    char& byte = bytes[random_.below(bytes.size())];
    byte = static_cast<char>(byte ^ (1 << random_.below(8)));
  }
}

// A bit or some of them, or how long it is.
void Sockets::change(std::string& bytes) {
  const auto drawn_byte = [this] { return static_cast<char>(random_.below(256)); };
  switch (bytes.empty() ? 3 : random_.below(5)) {
    case 0:
    case 1:
      return turn_bits(bytes);
    case 2:
      bytes.resize(random_.below(bytes.size()));
      return;
    case 3:
      for (int more = random_.between(1, 40); more > 0; --more) bytes += drawn_byte();
      return;
    default:
      for (char& each : bytes) each = drawn_byte();
  }
}

void Sockets::forge() {
  if (went_.empty()) return;
  Datagram one = went_[random_.below(went_.size())];
  if (random_.once_in(2)) change(one.bytes);
  File* const to = who_gets(one.to, one.from);
  if (to == nullptr) return;
  forged_.push_back(one.bytes);
  put_datagram(*to, one.from, one.bytes);
}

ssize_t Sockets::send_to(int number, std::uint16_t port, std::string_view bytes) {
  step_to_write();
  File& file = at(number);
  if (const int error = error_of(file); error != 0) return refused(error);
  send_datagram(file, port, bytes);
  return static_cast<ssize_t>(bytes.size());
}

ssize_t Sockets::receive_from(int number, std::uint16_t& port, char* to, std::size_t room) {
  step_to_write();
  File& file = at(number);
  settle(file);
  if (const int error = error_of(file); error != 0) return refused(error);
  if (file.datagrams.empty()) return refused(EAGAIN);
  const Coming first = std::move(file.datagrams.front());
  file.datagrams.pop_front();
  port = first.from;
  return static_cast<ssize_t>(first.bytes.copy(to, room));
}

// --- what waits for them ---

int Sockets::make_event() { return add(File::Kind::event); }

ssize_t Sockets::raise(int event) {
  step_to_write();
  File& file = at(event);
  file.raised = file.news = true;
  tell(file);
  return sizeof(std::uint64_t);
}

int Sockets::make_epoll() { return add(File::Kind::epoll); }

int Sockets::control(int epoll, int what, int number, const epoll_event* event) {
  step_to_write();
  File& file = at(number);
  if (what == EPOLL_CTL_DEL) {
    std::erase(at(epoll).watched, number);
    file.epoll = -1;
    return 0;
  }
  if (what == EPOLL_CTL_ADD) {
    if (file.epoll >= 0) return refused(EEXIST);
    at(epoll).watched.push_back(number);
    file.epoll = epoll;
  }
  file.asked = event->events;
  file.data = event->data;
  file.news = true;  // what is so already is told
  return 0;
}

std::uint32_t Sockets::state_of(const File& file) const noexcept {
  std::uint32_t state = 0;
  switch (file.kind) {
    case File::Kind::event:
      return file.raised ? EPOLLIN : 0U;
    case File::Kind::listener:
      return file.to_accept.empty() ? 0U : EPOLLIN;
    case File::Kind::epoll:
      return 0;
    case File::Kind::datagrams:
      return (file.datagrams.empty() ? 0U : EPOLLIN) | EPOLLOUT |
             (file.dead || file.error != 0 ? EPOLLERR : 0U);
    case File::Kind::stream:
      break;
  }
  if (!file.here.empty() || file.ended) state |= EPOLLIN;
  if (file.ended) state |= EPOLLRDHUP;
  if (file.failed && file.ended) return state | EPOLLHUP | EPOLLERR | EPOLLOUT;
  const bool room = file.other < 0 || room_to(at(file.other)) != 0;
  return file.connected && room ? state | EPOLLOUT : state;
}

// Only what is news, all of them as edges.
std::size_t Sockets::collect(const File& epoll, epoll_event* events, std::size_t most) {
  std::size_t count = 0;
  for (const int number : epoll.watched) {
    if (count == most) break;
    File& file = at(number);
    settle(file);
    if (!std::exchange(file.news, false)) continue;
    const std::uint32_t told = state_of(file) & (file.asked | EPOLLHUP | EPOLLERR);
    if (told == 0) continue;
    events[count].events = told;
    events[count++].data = file.data;
  }
  return count;
}

Nanos Sockets::next(const File& epoll) const noexcept {
  Nanos first = 0;
  for (const int number : epoll.watched) {
    const File& file = at(number);
    if (!file.coming.empty() && (first == 0 || file.coming.front().at < first))
      first = file.coming.front().at;
  }
  return first;
}

int Sockets::wait(int epoll, epoll_event* events, std::size_t most, Nanos until) {
  step_to_write();
  File& file = at(epoll);
  for (;;) {
    if (const std::size_t count = collect(file, events, most); count != 0)
      return static_cast<int>(count);
    if (until != 0 && now() >= until) return 0;
    const Nanos due = next(file);
    wait_at(&file, due != 0 && (until == 0 || due < until) ? due : until);
  }
}

}  // namespace penstock::world
