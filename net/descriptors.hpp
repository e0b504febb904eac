#pragma once
// How many files and sockets the process may have open.
#include <cstddef>

namespace postrider::net {

// Raises the soft limit to the hard one, which shells and service managers set far higher, and
// returns what holds now.
std::size_t raise_descriptor_limit() noexcept;

} // namespace postrider::net
