#pragma once
// What a user is told when the model fails for good, in their language. Honest and short; never the provider's
// words.
#include "base/error.hpp"

#include <string>
#include <string_view>

namespace postrider::agent {

// With the time from which on it is worth asking again, in UTC, where the failure tells one. The
// same in every run: it reads the failure's class and detail alone, which are recorded.
std::string failure_text(base::error const& failure, std::string_view language);

} // namespace postrider::agent
