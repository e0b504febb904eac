#pragma once
// Where the server of a configuration is asked.
#include "base/error.hpp"

#include <string>
#include <string_view>

namespace postrider::cli {

// Of an address that is listened to. One that listens to everything is asked where nobody is in
// between. invalid: it is no address, or its port is any.
base::result<std::string> origin_of(std::string_view listen);

} // namespace postrider::cli
