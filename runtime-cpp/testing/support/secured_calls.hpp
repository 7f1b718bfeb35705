#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "penstock/tls.hpp"
#include "support/calls_between.hpp"
#include "support/made_keys.hpp"

// Two binaries that know each other by their keys.

namespace penstock::net::remote_test {

using testing::MadeKeys;

class Keys : public Calls {
 protected:
  [[nodiscard]] std::unique_ptr<Security> security_of(const std::string& binary_name,
                                                      const MadeKeys& from) const {
    return tls({"test", binary_name}, from.folder());
  }
  /// Why they cannot be used.
  [[nodiscard]] std::string fault() const {
    try {
      static_cast<void>(tls({"test", "ads"}, keys.folder()));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::failed_precondition);
      std::string text = error.message();
      EXPECT_TRUE(text.starts_with(keys.folder() + "/")) << text;
      return text.substr(keys.folder().size() + 1);
    }
    return {};
  }

  MadeKeys keys{folder_ + "/keys"};
};

/// `front` calls `ads` at a secured place; each with a key of its own.
class SecuredCalls : public Keys {
 protected:
  explicit SecuredCalls(const Place& at = own_place()) : place(at.secured()) {
    keys.add("front");
    keys.add("ads");
    own = security_of("front", keys);
    theirs = security_of("ads", keys);
    peer.drawn = Directory::drawn_at(place);
    peer.security = own.get();
  }
  ~SecuredCalls() override { binary.stop(); }

  /// Why nobody is reached.
  [[nodiscard]] bool is_down(const std::string& why) {
    return eventually([&] {
      return peer.figures.why_down() == "ads cannot be reached: " + place.text() + ": " + why;
    });
  }

  const Place place;  // of port 7400
  std::unique_ptr<Security> own;
  std::unique_ptr<Security> theirs;
};

}  // namespace penstock::net::remote_test
