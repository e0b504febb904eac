#pragma once
// Files of the configuration, read whole.
#include <optional>
#include <string>

namespace postrider::base {

// None for what cannot be read (a folder, for one: what a container makes of a mount that is not
// there) and for what is larger than any configuration, 4 MiB.
std::optional<std::string> read_text_file(std::string const& path);

// Whether nothing has this name: no mistake where a file is optional. One that cannot be read is.
bool is_absent(std::string const& path);

} // namespace postrider::base
