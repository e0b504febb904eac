#pragma once
// The console's page and files over HTTP, from the memory of the program, without copies. Every address
// below /console is the page, since the page knows which view an address names; only what looks like a
// file and is none is 404. Needs no session: the files hold no data.
//
// Files with a hash in their name may be kept for ever; the page is asked for again each time, and is
// 304 when it is the same. The page may load and run only what this server sends, and no other page may
// frame it.
#include "net/router.hpp"
#include "server/console/embedded_assets.hpp"

#include <vector>

namespace postrider::console {

// With the console: the page, the files, and / which leads there. Without it: /console leads to /,
// which says that there is none. Before the routes of the status page. The assets must outlive them.
std::vector<net::route> asset_routes(std::span<embedded_asset const> assets = embedded_assets());

} // namespace postrider::console
