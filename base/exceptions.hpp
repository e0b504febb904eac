#pragma once
// What a log may say of an exception. Threads: any.
#include <exception>
#include <string>

namespace postrider::base {

std::string reason_of(std::exception_ptr const& failure);

} // namespace postrider::base
