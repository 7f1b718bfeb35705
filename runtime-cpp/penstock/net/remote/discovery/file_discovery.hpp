#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "penstock/net/remote/discovery/finder.hpp"

namespace penstock::net {

/// The processes of a binary as a file lists them, by whoever runs them:
/// `{"models-server": ["10.0.0.5:7400"]}`, or FORB's registry, `{"objects": [{"name":
/// "models-server/Models", "ip": "10.0.0.5", "port": 7400}]}`, where the name of an object begins
/// with that of its binary, up to a `.` or `/`. It is read again once it is another one, as others
/// replace it (rename(2)) or write to it; while it cannot be used, what it said last holds.
class FileDiscovery final : public Finder {
 public:
  FileDiscovery(std::string file, std::string binary, Transport how);

  [[nodiscard]] std::vector<Directory::Instance> instances() override;
  [[nodiscard]] bool lists_all() const noexcept override { return true; }
  [[nodiscard]] std::string why_none() const override;
  [[nodiscard]] Transport transport() const noexcept override { return how_; }

 private:
  /// Of a file that was read: another one differs in some of it.
  struct Version {
    std::uint64_t device = 0;
    std::uint64_t number = 0;
    std::int64_t bytes = -1;
    std::int64_t changed_s = 0;
    std::int64_t changed_ns = 0;
    bool operator==(const Version&) const = default;
  };

  void look();
  void read(const Descriptor& file);

  const std::string file_;
  const std::string binary_;
  const Transport how_;
  mutable std::mutex mutex_;
  Version version_;
  std::vector<Directory::Instance> found_;
  std::string why_;
};

}  // namespace penstock::net
