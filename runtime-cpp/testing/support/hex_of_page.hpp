// Bytes that a page of the documentation gives as an example.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/placed.hpp"

namespace penstock::testing {

/// Pairs of hexadecimal digits and texts in quotation marks; what is behind a # is a remark.
inline std::string bytes_of_line(std::string_view line) {
  std::string bytes;
  while (!line.empty() && line.front() != '#') {
    std::size_t taken = 1;
    if (line.front() == '"') {
      const std::size_t end = line.find('"', 1);
      bytes += line.substr(1, end - 1);
      taken = end + 1;
    } else if (line.front() != ' ') {
      bytes += static_cast<char>(std::stoi(std::string(line.substr(0, 2)), nullptr, 16));
      taken = 2;
    }
    line.remove_prefix(taken);
  }
  return bytes;
}

/// The block ```hex `name` of docs/`page`. Throws std::runtime_error: it has none.
inline std::string hex_of_page(const std::string& page, const std::string& name) {
  std::ifstream in(std::string(placed::docs) + "/" + page);
  std::string line;
  while (std::getline(in, line) && line != "```hex " + name) {
  }
  std::string bytes;
  while (std::getline(in, line) && line != "```") bytes += bytes_of_line(line);
  if (bytes.empty()) throw std::runtime_error("docs/" + page + " has no example " + name);
  return bytes;
}

}  // namespace penstock::testing
