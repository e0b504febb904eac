#pragma once
// What the configuration says to each part of the server. Pure, but for the limit of open
// descriptors, which is raised.
#include "agent/flow/library/library.hpp"
#include "net/http_server.hpp"
#include "queue/node/engine.hpp"
#include "server/start/announcement.hpp"
#include "server/start/config.hpp"

namespace postrider::server {

mode mode_of(config const& settings, bool wants_demo);
std::vector<std::string> bot_names_of(config const& settings, server::mode mode);
// Notices tell of what is published; where none come, it is looked for.
agent::flow::library_options library_options_of(config const& settings);
queue::engine_options engine_options_of(config const& settings);
net::http_server_options http_options_of(config const& settings);
// Patterns of hosts under which programs reach the server, beside those of the own network.
std::vector<std::string> hosts_of(config const& settings);
// Host and port of the public URL as browsers write them, where it is https; else empty.
std::string https_authority_of(config const& settings);
// The person that the owner's token acts as, whose conversations and tasks are theirs: the one owner
// of all bots; of bots without owners the one person who may write to them. 0 = none or several.
user_id person_of_owner(std::vector<bot_config> const& bots);

} // namespace postrider::server
