#include "penstock/net/nats/roster.hpp"

#include <algorithm>
#include <utility>

namespace penstock::net::nats {

Roster::Roster(const std::string& project, const std::string& inbox, Nanos forgotten)
    : prefix_("penstock." + project + "."),
      inbox_("_INBOX." + inbox + "."),
      forgotten_(forgotten) {}

std::string Roster::subject_of(const std::string& binary) const { return prefix_ + binary; }

std::size_t Roster::watch(const std::string& binary) {
  const auto known =
      std::find_if(watched_.begin(), watched_.end(),
                   [&binary](const Watched& watched) { return watched.binary == binary; });
  if (known != watched_.end()) return static_cast<std::size_t>(known - watched_.begin());
  watched_.push_back({binary, {}});
  return watched_.size() - 1;
}

std::vector<Announcement> Roster::members(std::size_t watched) const {
  std::vector<Announcement> found;
  for (const Member& each : watched_[watched].members) found.push_back(each.said);
  return found;
}

std::string Roster::said_of(const Own& own) const {
  Announcement said{own.binary, own.instance, {}, false};
  for (const Door& door : own.doors) {
    const std::string& host = door.host.empty() ? host_ : door.host;
    const bool is_six = host.find(':') != std::string::npos;
    said.addresses.push_back(std::string(name_of(door.how)) + "://" +
                             (is_six ? "[" + host + "]" : host) + ":" + std::to_string(door.port));
  }
  return write_announcement(said);
}

void Roster::announce(const std::string& binary, const std::string& instance,
                      std::vector<Door> doors, Session* session, Nanos now) {
  const Own& own = own_.emplace(Own{binary, instance, std::move(doors)});
  if (session != nullptr && session->is_ready()) enter(*session, own, now);
}

void Roster::enter(Session& session, const Own& own, Nanos now) {
  session.subscribe(subject_of(own.binary) + ".who", kQuestions);
  session.publish(subject_of(own.binary), {}, said_of(own));
  announced_ = now;
}

void Roster::withdraw(Session* session) {
  const std::optional<Own> own = std::exchange(own_, std::nullopt);
  if (!own || session == nullptr || !session->is_ready()) return;
  session->publish(subject_of(own->binary), {},
                   write_announcement({own->binary, own->instance, {}, true}));
}

void Roster::ready(Session& session, Nanos now) {
  if (own_) enter(session, *own_, now);
  for (std::size_t number = 0; number < watched_.size(); ++number) {
    Watched& watched = watched_[number];
    const std::string subject = subject_of(watched.binary);
    const std::string inbox = inbox_ + watched.binary;
    session.subscribe(subject, 2 * number + 2);
    session.subscribe(inbox, 2 * number + 3);
    session.publish(subject + ".who", inbox, {});
    // Nobody could be heard for a while.
    for (Member& member : watched.members) member.heard = now;
  }
}

void Roster::heard(Session& session, const Message& message, Nanos now) {
  if (message.subscription == kQuestions) {
    if (own_ && !message.reply.empty()) session.publish(message.reply, {}, said_of(*own_));
    return;
  }
  if (message.subscription < 2) return;
  const std::size_t number = (message.subscription - 2) / 2;
  if (number >= watched_.size()) return;
  std::optional<Announcement> said = read_announcement(message.payload);
  if (said && said->binary == watched_[number].binary)
    note(watched_[number], std::move(*said), now);
}

void Roster::note(Watched& watched, Announcement said, Nanos now) {
  auto& members = watched.members;
  // A process that has taken another one's addresses has come in its place.
  std::erase_if(members, [&said](const Member& each) {
    return said.gone ? each.said.instance == said.instance
                     : each.said.instance != said.instance && !said.addresses.empty() &&
                           each.said.addresses == said.addresses;
  });
  if (said.gone) return;
  const auto known = std::find_if(members.begin(), members.end(), [&said](const Member& each) {
    return each.said.instance == said.instance;
  });
  if (known != members.end()) {
    *known = {std::move(said), now};
  } else if (members.size() < kMostMembers) {
    members.push_back({std::move(said), now});
  }
}

void Roster::look(Session& session, Nanos now) {
  if (own_ && now >= announced_ + kEvery) {
    session.publish(subject_of(own_->binary), {}, said_of(*own_));
    announced_ = now;
  }
  for (Watched& watched : watched_)
    std::erase_if(watched.members,
                  [this, now](const Member& each) { return now >= each.heard + forgotten_; });
}

Nanos Roster::next_look() const noexcept {
  constexpr Nanos kNever = Nanos{1} << 61U;
  Nanos next = own_ ? announced_ + kEvery : kNever;
  for (const Watched& watched : watched_)
    for (const Member& each : watched.members) next = std::min(next, each.heard + forgotten_);
  return next;
}

}  // namespace penstock::net::nats
