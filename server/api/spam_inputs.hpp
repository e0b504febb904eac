#pragma once
// What requests about groups and their spam filter name: groups, members, changed rules; and what is answered where no bot
// serves a group. Pure.
#include "agent/spam/rules.hpp"
#include "base/ids.hpp"
#include "net/http.hpp"
#include "server/api/inputs.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string_view>

namespace postrider::api {

// "chat" and "user", which may be below zero: a group's id is, and so is a channel's.
std::optional<chat_id> read_chat(parameters& query);
std::optional<chat_id> read_chat(members& body);
std::optional<user_id> read_user(parameters& query);
std::optional<user_id> read_user(members& body);

// A number of the path, "-100123"; a mistake otherwise.
std::int64_t path_number(
    net::http_request const& request, std::string_view name, inputs& mistakes_to
);

// "chat" and "user" of the path.
struct path_member {
    chat_id chat{};
    user_id user{};
};
path_member read_path_member(net::http_request const& request, inputs& mistakes_to);

// 404: it is none of this server's groups.
net::http_response no_bot_serves(chat_id chat);

// "set": {"links.weight": 100}. Each mistake is noted; then it changes nothing.
boost::json::object read_rule_changes(members& body);
// Of changes that were read so.
agent::spam::rules changed_by(boost::json::object const& changes, agent::spam::rules rules);

} // namespace postrider::api
