#pragma once
// What a person reads when the server is up: where it is, what it does, and what to try. Pure.
#include "server/start/config.hpp"

#include <filesystem>
#include <string>

namespace postrider::server {

enum class mode { demo, polling, webhook };

struct announced_bot {
    std::string name;
    std::string webhook_url;
    bool anybody_allowed = false; // false: the allowlist is empty, nobody is answered
};

struct announcement {
    std::string version;
    std::string address; // "127.0.0.1:8080" or "unix:/path"
    server::mode mode = server::mode::demo;
    std::vector<announced_bot> bots;
    std::string model;                     // of the first one's agent: "anthropic/claude-haiku-4-5"
    bool rules = false;                    // the built-in model, for want of a key
    std::filesystem::path private_cluster; // its folder; empty = DATABASE_URL
    std::filesystem::path admin_token_file; // empty = configured
    std::string new_admin_token;            // printed once, to a terminal only
    std::string console_link;               // for one login, to a terminal only; empty = none
};

std::string to_text(announcement const& announcement);

} // namespace postrider::server
