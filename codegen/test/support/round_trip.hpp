#pragma once

#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>

/// `write` writes `message`; anything else reads bytes and says whether they are that message. What
/// a `main()` returns. `encode()` and `decode()` are those of its generated messages.
template <class Message>
int round_trip(int argc, char** argv, const Message& message) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "write") {
    std::string bytes;
    encode(message, bytes);
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    return 0;
  }
  const std::string bytes{std::istreambuf_iterator<char>(std::cin), {}};
  Message read;
  const bool good = decode(bytes, read);
  std::puts(!good ? "malformed" : read == message ? "equal" : "different");
  return 0;
}
