#pragma once
// A provider's own words about a failure, as a part of an error's detail: HTTP 400: “Your credit
// balance is too low”. Jobs keep them, logs do not: they may quote the request. Pure.
#include "base/error.hpp"

#include <string>
#include <string_view>

namespace postrider::agent {

// The words between quotation marks that stand nowhere else in a detail; "" = there are none. They
// are valid UTF-8 on one line, of bounded length, and without what looks like a key or a token.
std::string quote_words(std::string_view message);

// The same detail with *** in place of this key, which may have any form.
base::error without_key(base::error failure, std::string_view key);

// Class and codes alone, for a log.
base::error without_words(base::error failure);

} // namespace postrider::agent
