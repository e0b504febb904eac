#include "server/start/part_options.hpp"

#include "net/descriptors.hpp"
#include "net/http_client.hpp"
#include "server/start/version.hpp"

#include <algorithm>
#include <set>

namespace postrider::server {

using namespace std::chrono_literals;

mode mode_of(config const& settings, bool wants_demo) {
    if (wants_demo || settings.bots.empty()) return mode::demo;
    return settings.public_url.empty() ? mode::polling : mode::webhook;
}

std::vector<std::string> bot_names_of(config const& settings, server::mode mode) {
    if (mode == server::mode::demo) return {std::string(demo_bot)};
    std::vector<std::string> names;
    for (auto const& bot : settings.bots) names.push_back(bot.name);
    return names;
}

agent::flow::library_options library_options_of(config const& settings) {
    agent::flow::library_options options;
    if (settings.listen_to_others) options.look = 30s;
    return options;
}

queue::engine_options engine_options_of(config const& settings) {
    queue::engine_options options;
    options.slots = settings.slots;
    if (!settings.listen_to_others) options.idle_poll = options.longest_poll;
    options.version = this_version().product;
    return options;
}

net::http_server_options http_options_of(config const& settings) {
    net::http_server_options http;
    http.listen = settings.listen;
    // The other half is for Postgres, Telegram and the models.
    http.max_connections = std::min(http.max_connections, net::raise_descriptor_limit() / 2);
    http.trusted_proxies = settings.trusted_proxies;
    return http;
}

std::vector<std::string> hosts_of(config const& settings) {
    auto hosts = settings.hosts;
    auto const url = net::parse_base_url(settings.public_url);
    if (!url) return hosts;
    auto const authority = url->origin.substr(url->origin.find("://") + 3);
    auto const port = authority.find(':', authority.rfind(']') + 1);
    hosts.push_back(authority.substr(0, port));
    return hosts;
}

std::string https_authority_of(config const& settings) {
    constexpr std::string_view https = "https://";
    auto const url = net::parse_base_url(settings.public_url);
    if (!url || !url->origin.starts_with(https)) return {};
    return url->origin.substr(https.size());
}

user_id person_of_owner(std::vector<bot_config> const& bots) {
    std::set<user_id> owners;
    std::set<user_id> writers;
    for (auto const& bot : bots) {
        owners.insert(bot.allowlist.owners.begin(), bot.allowlist.owners.end());
        writers.insert(bot.allowlist.users.begin(), bot.allowlist.users.end());
    }
    auto const& candidates = owners.empty() ? writers : owners;
    return candidates.size() == 1 ? *candidates.begin() : user_id{};
}

} // namespace postrider::server
