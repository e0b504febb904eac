#pragma once
// Words that jobs have of a server of this program. Pure.
#include <span>
#include <string>
#include <vector>

namespace postrider::server {

// The kinds of job that it runs.
std::span<std::string const> known_kinds();
// The classes of its errors.
std::span<std::string const> known_error_classes();

} // namespace postrider::server
