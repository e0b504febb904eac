#include "server/api/spam_inputs.hpp"

#include "agent/spam/rules_json.hpp"

#include <fmt/format.h>

#include <charconv>

namespace postrider::api {

namespace {

template<class Id, class Source>
std::optional<Id> read_telegram_id(Source& source, std::string_view name) {
    auto const number = source.integer(name, -largest_number, largest_number);
    return number ? std::optional(Id{*number}) : std::nullopt;
}

} // namespace

std::optional<chat_id> read_chat(parameters& query) {
    return read_telegram_id<chat_id>(query, "chat");
}

std::optional<chat_id> read_chat(members& body) {
    return read_telegram_id<chat_id>(body, "chat");
}

std::optional<user_id> read_user(parameters& query) {
    return read_telegram_id<user_id>(query, "user");
}

std::optional<user_id> read_user(members& body) {
    return read_telegram_id<user_id>(body, "user");
}

std::int64_t path_number(
    net::http_request const& request, std::string_view name, inputs& mistakes_to
) {
    auto const text = request.param(name);
    std::int64_t number = 0;
    auto const* const text_end = text.data() + text.size();
    auto const [end, failure] = std::from_chars(text.data(), text_end, number);
    if (failure != std::errc{} || end != text_end || std::to_string(number) != text)
        mistakes_to.mistake(fmt::format("the {} in the path is not an integer", name));
    return number;
}

path_member read_path_member(net::http_request const& request, inputs& mistakes_to) {
    chat_id const chat{path_number(request, "chat", mistakes_to)};
    return {chat, user_id{path_number(request, "user", mistakes_to)}};
}

net::http_response no_bot_serves(chat_id chat) {
    return net::http_response::problem(
        404, "not_found", "no bot of this server serves the group " + base::to_string(chat)
    );
}

boost::json::object read_rule_changes(members& body) {
    auto const changes = body.json("set");
    if (!changes || changes->is_null()) return {};
    if (!changes->is_object()) {
        body.mistake("set is not an object");
        return {};
    }
    auto const changed = agent::spam::changed_rules(changes->get_object());
    if (changed) return changes->get_object();
    body.mistake("set: " + changed.error().detail);
    return {};
}

agent::spam::rules changed_by(boost::json::object const& changes, agent::spam::rules rules) {
    return agent::spam::changed_rules(changes, std::move(rules)).value();
}

} // namespace postrider::api
