#pragma once

#include <optional>
#include <string_view>

#include "penstock/config/config.hpp"

namespace penstock::config {

/// `127.0.0.1:0`, `[::1]:9000`, `localhost:80` -> its parts; nothing when the text has another
/// form or the host is no loopback address. The control plane has no TLS yet, so it stays on this
/// machine.
[[nodiscard]] std::optional<Address> parse_loopback(std::string_view text);

/// As above, or the number of any other address that can be listened at, 0.0.0.0 and [::] for all
/// of this host: `beyond` says so.
struct AnyAddress : Address {
  bool beyond = false;
};
[[nodiscard]] std::optional<AnyAddress> parse_any(std::string_view text);

/// `tcp://127.0.0.1:7400`, `tcp://10.0.0.5:7400`, `tls://[::1]:7400`, `udp://models:7400`, with a
/// port from 1 on -> its parts: secured where it says so, and beyond this host; or
/// `tls+file:run/peers.json`, `tcp+file:/etc/peers.json`: the file that says where; or
/// `tls+nats://10.0.0.5:4222`: the NATS server that knows; before both `udp+` or `udp+keys+` of one
/// that is spoken to in datagrams. Nothing when the text has another form, or the host stands for
/// all addresses of one, or for several.
[[nodiscard]] std::optional<PeerAddress> parse_peer(std::string_view text);

/// Where a binary listens: as above, without a file or a server, and `tcp://0.0.0.0:7400` or
/// `udp://[::]:7400` for all addresses of its host.
[[nodiscard]] std::optional<PeerAddress> parse_listen(std::string_view text);
/// The same of one that is announced: port 0, too, is any that is free.
[[nodiscard]] std::optional<PeerAddress> parse_announced_listen(std::string_view text);

/// `nats://127.0.0.1:4222`, `nats://nats.example:4222` -> its parts, an IPv6 host without brackets.
/// Nothing when the text has another form.
[[nodiscard]] std::optional<Address> parse_nats(std::string_view text);

}  // namespace penstock::config
