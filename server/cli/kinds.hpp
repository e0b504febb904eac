#pragma once
// The kinds of job that a server of this program runs. Pure.
#include <span>
#include <string>

namespace postrider::cli {

std::span<std::string const> known_kinds();

} // namespace postrider::cli
