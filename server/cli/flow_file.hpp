#pragma once
// A document that a command reads.
#include "base/error.hpp"

#include <string>

namespace postrider::cli {

// The file's text; "-" is standard input. not_found: there is no such file; invalid: it is a folder, or empty.
base::result<std::string> read_flow_file(std::string const& name);

} // namespace postrider::cli
