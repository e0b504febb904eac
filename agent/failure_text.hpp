#pragma once
// What a user is told when the model fails for good. Honest and short; never the provider's words.
#include "base/error.hpp"

namespace postrider::agent {

std::string_view failure_text(base::errc code) noexcept;

} // namespace postrider::agent
