#include "server/views/attention.hpp"

#include "server/views/attention_items.hpp"
#include "server/views/exception_counts.hpp"
#include "server/views/json_values.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::server {

namespace json = boost::json;

namespace {

constexpr storage::statement attention_time{
    "attention.time", "select postrider.iso(postrider.now())"};

constexpr std::array<std::string_view, 13> names_of_kinds{
    "approval",
    "question",
    "undelivered",
    "effect_in_doubt",
    "dead_letter",
    "budget",
    "breaker",
    "stopped_bot",
    "group",
    "spam_report",
    "spam_refused",
    "mcp_server",
    "mcp_change"};

// Of what there is little of, all is read.
std::int64_t number_of(attention_items const& items) {
    return std::ssize(items);
}

json::array actions_json(std::vector<attention_action> const& actions) {
    json::array all;
    for (auto const& action : actions) {
        json::object shown{
            {"name", action.name},
            {"method", "POST"},
            {"path", action.path},
            {"says", action.says}};
        if (!action.body.empty()) shown["body"] = action.body;
        if (!action.label.empty()) shown["label"] = action.label;
        all.push_back(std::move(shown));
    }
    return all;
}

json::object item_json(std::string_view kind, attention_item const& item) {
    return {
        {"kind", kind},
        {"id", item.id},
        {"since", text_or_null(item.since)},
        {"title", item.title},
        {"detail", item.detail},
        {"link_to", item.link_to},
        {"actions", actions_json(item.actions)}};
}

} // namespace

std::vector<std::string_view> attention_kinds() {
    return {names_of_kinds.begin(), names_of_kinds.end()};
}

attention read_attention(storage::transaction& tx, attention_sources const& sources) {
    auto const counts = count_exceptions(tx);
    auto budgets = spent_budgets(tx, sources.budgets);
    auto breakers = open_breakers(tx);
    auto bots = stopped_bots(tx);
    auto groups = limited_groups(sources.groups);
    auto reports = reported_messages(tx);
    auto refusals = refused_acts(tx);
    auto changes = changed_mcp_tools(tx);
    auto servers = failing_mcp_servers(sources.failing_mcp_servers);
    attention all;
    all.time = tx.query(attention_time).front().text(0);
    all.kinds = {
        {"approval", counts.approvals, waiting_approvals(tx)},
        {"question", counts.questions, open_questions(tx)},
        {"undelivered", counts.undelivered, undelivered_answers(tx)},
        {"effect_in_doubt", counts.effects_in_doubt, effects_in_doubt(tx)},
        {"dead_letter", counts.failed, dead_letters(tx)},
        {"budget", number_of(budgets), std::move(budgets)},
        {"breaker", number_of(breakers), std::move(breakers)},
        {"stopped_bot", number_of(bots), std::move(bots)},
        {"group", number_of(groups), std::move(groups)},
        {"spam_report", number_of(reports), std::move(reports)},
        {"spam_refused", number_of(refusals), std::move(refusals)},
        {"mcp_server", number_of(servers), std::move(servers)},
        {"mcp_change", number_of(changes), std::move(changes)}};
    // The counts are looked up first: what came since is there all the same.
    for (auto& kind : all.kinds) kind.total = std::max(kind.total, number_of(kind.items));
    return all;
}

json::object attention_json(attention const& attention, attention_filter const& filter) {
    std::int64_t total = 0;
    bool is_estimate = false;
    json::array kinds;
    json::array items;
    for (auto const& kind : attention.kinds) {
        if (!filter.kind.empty() && kind.name != filter.kind) continue;
        total += kind.total;
        is_estimate = is_estimate || kind.total >= most_counted;
        kinds.push_back(json::object{{"kind", kind.name}, {"total", kind.total}});
        for (auto const& item : kind.items) {
            if (&item - kind.items.data() >= filter.limit) break;
            items.push_back(item_json(kind.name, item));
        }
    }
    return {
        {"time", attention.time},
        {"total", total},
        {"total_is_estimate", is_estimate},
        {"kinds", std::move(kinds)},
        {"items", std::move(items)}};
}

} // namespace postrider::server
