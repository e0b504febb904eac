#include "server/views/installation_json.hpp"

#include "server/views/bot_setup.hpp"
#include "server/views/json_values.hpp"

#include <boost/json/array.hpp>

namespace postrider::server {

namespace json = boost::json;

namespace {

json::object spending_json(storage::spending const& spent) {
    return {
        {"calls", spent.calls},
        {"tokens", spent.tokens},
        {"cost", cents_or_null(spent.cost_micro)}};
}

// 0 = no limit of that kind.
json::object limit_json(storage::spending const& most) {
    auto const limit_or_null = [](std::int64_t limit) {
        return limit > 0 ? json::value(limit) : json::value();
    };
    return {
        {"calls", limit_or_null(most.calls)},
        {"tokens", limit_or_null(most.tokens)},
        {"cost", most.cost_micro > 0 ? cents_or_null(most.cost_micro) : json::value()}};
}

bool is_spent(storage::spending const& spent, storage::spending const& most) {
    auto const reaches = [](std::int64_t amount, std::int64_t limit) {
        return limit > 0 && amount >= limit;
    };
    return reaches(spent.calls, most.calls) || reaches(spent.tokens, most.tokens) ||
           reaches(spent.cost_micro, most.cost_micro);
}

} // namespace

json::object node_json(queue::node_summary const& node) {
    return {
        {"node_id", node.id},
        {"host", node.host},
        {"pid", node.pid},
        {"version", node.version},
        {"started_at", node.started_at},
        {"beat_at", node.beat_at},
        {"alive", node.alive},
        {"slots", node.slots},
        {"running", node.busy},
        {"polled_bots", json::array(node.polled_bots.begin(), node.polled_bots.end())}};
}

json::object bot_json(storage::known_bot const& bot, bot_state const* state) {
    json::object shown{
        {"name", bot.name},
        {"username", text_or_null(bot.username)},
        {"telegram_id", bot.telegram_id ? json::value(base::raw(*bot.telegram_id)) : json::value()},
        {"configured", state != nullptr},
        {"stopped_at", text_or_null(bot.stopped_at)},
        {"stopped_reason", text_or_null(bot.stopped_reason)},
        {"paused_at", text_or_null(bot.paused_at)},
        {"agent", nullptr},
        {"mode", nullptr},
        {"webhook", nullptr},
        {"reads_all_group_messages", nullptr},
        {"owners", nullptr},
        {"allowed_users", nullptr},
        {"allowed_chats", nullptr}};
    if (!state) return shown;
    shown["agent"] = state->agent;
    shown["mode"] = state->polls ? "polling" : "webhook";
    shown["webhook"] = webhook_json(state->webhook);
    shown["reads_all_group_messages"] = or_null(state->reads_all_group_messages);
    shown["owners"] = state->owners;
    shown["allowed_users"] = state->allowed_users;
    shown["allowed_chats"] = state->allowed_chats;
    return shown;
}

json::object budget_json(
    storage::spent_budget const& budget,
    std::map<std::string, storage::spending, std::less<>> const& limits
) {
    auto const most = limits.find(budget.scope);
    return {
        {"scope", budget.scope},
        {"subject", budget.subject},
        {"spent", spending_json(budget.spent)},
        {"held", spending_json(budget.held)},
        {"limit", most == limits.end() ? json::value() : json::value(limit_json(most->second))},
        {"is_spent", most != limits.end() && is_spent(budget.spent, most->second)},
        {"opens_at", budget.opens_at}};
}

} // namespace postrider::server
