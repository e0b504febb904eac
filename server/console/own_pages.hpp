#pragma once
// Pages that only browsers get that have reached this server under one of its own names: a page that
// another site's name leads to could read all that it shows. The names are copied.
#include "net/router.hpp"
#include "server/api/browser_rules.hpp"

#include <vector>

namespace postrider::console {

// The same routes, which answer other names 403.
std::vector<net::route> under_own_names(std::vector<net::route> pages, api::own_names const& names);

} // namespace postrider::console
