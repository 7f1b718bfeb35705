#pragma once

#include <string>

namespace penstock::app {

/// What a binary was asked on its command line.
struct CommandLine {
  enum class Action { run, print_and_exit, wrong };
  Action action = Action::run;
  std::string text;    ///< to print: on stdout, or on stderr when wrong
  std::string config;  ///< of --config, else the default
  bool relax_pins = false;
};

[[nodiscard]] CommandLine parse_command_line(int argc, char** argv, const std::string& binary,
                                             const std::string& topology_hash,
                                             const std::string& default_config);

}  // namespace penstock::app
