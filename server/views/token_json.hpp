#pragma once
// A token's row as the API and `token list --json` write it: never the token, never its hash. Pure.
#include "storage/stores/tokens.hpp"

#include <boost/json/object.hpp>

namespace postrider::server {

boost::json::object token_json(storage::token_row const& token);
// {"tokens": […], "next"?}: next where the page is full.
boost::json::object tokens_json(std::vector<storage::token_row> const& tokens, int limit);

} // namespace postrider::server
