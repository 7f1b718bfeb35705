#pragma once

#include <string>
#include <vector>

#include "penstock/net/socket/descriptor.hpp"
#include "penstock/net/socket/place.hpp"

namespace penstock::net {

/// Who runs on this host: a folder of the user's with a Unix socket for each process of each binary
/// of one project. Any thread.
class Directory {
 public:
  static constexpr std::size_t kIdDigits = 16;
  /// A process of a binary.
  struct Instance {
    std::string id;  ///< kIdDigits hex digits
    Place place;
  };

  /// One that listens there by the drawing: its id is the place's, the same for all who call it.
  [[nodiscard]] static Instance drawn_at(Place place);

  /// Made when something is published. Nobody but its user may look into it.
  explicit Directory(std::string folder) : folder_(std::move(folder)) {}

  /// The folder of all binaries whose configurations are beside `config_file`: `PENSTOCK_RUN`, or a
  /// part of the user's runtime folder that is named by where they are.
  [[nodiscard]] static std::string folder_for(const std::string& config_file);

  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }
  /// Those that are there now, or were and died. Throws std::bad_alloc.
  [[nodiscard]] std::vector<Instance> instances(const std::string& binary) const;
  /// Throws Error(failed_precondition) where the folder's path leaves none for that of a socket.
  void expect_room_for(const std::string& binary) const;
  /// Where an instance listens. Makes the folder. Throws Error(failed_precondition) where somebody
  /// else could look into it, or its path is too long, std::system_error.
  [[nodiscard]] Place publish(const std::string& binary, const std::string& id) const;
  /// One's own.
  void remove(const std::string& binary, const std::string& id) const noexcept;
  /// That of a process that has died. One that lives, though it may not listen yet, stays.
  void remove_dead(const std::string& binary, const std::string& id) const noexcept;
  /// Those of all its processes that have died, killed ones as they are.
  void clean(const std::string& binary) const noexcept;

 private:
  [[nodiscard]] std::string path_of(const std::string& binary, const std::string& id) const;

  std::string folder_;
};

}  // namespace penstock::net
