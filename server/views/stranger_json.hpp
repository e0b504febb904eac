#pragma once
// Strangers as the API and `strangers list --json` write them. Pure.
#include "server/start/config.hpp"
#include "storage/stores/strangers.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace postrider::server {

// The setting that lets a stranger write where they wrote last, with the id that it takes: in
// private the user's, in a group that the bot does not serve the chat's. In one that it serves, a
// command or a press was refused, which asks for the user.
struct admission {
    std::string setting; // "bots.main.allowed_chats"
    std::int64_t id = 0;
};
admission admission_of(
    storage::known_stranger const& stranger, std::vector<bot_config> const& bots
);

// {"strangers": […], "next"?}.
boost::json::object strangers_json(
    storage::stranger_page const& page, std::vector<bot_config> const& bots
);

} // namespace postrider::server
