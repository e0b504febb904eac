#pragma once
// The parameters of a call of the Bot API, as a client sends them: as JSON, or as a form with files. Pure.
#include "base/json/json.hpp"
#include "net/http.hpp"

namespace postrider::telegram {

// A file is "upload:" and its name. What cannot be read has no parameters.
base::json::object parameters_of(net::http_request const& request);

} // namespace postrider::telegram
