#pragma once
// The parts of an installation as the API writes them: nodes, bots and budgets. Pure.
#include "queue/admin/node_views.hpp"
#include "server/start/bot_state.hpp"
#include "storage/stores/bots.hpp"
#include "storage/stores/budgets.hpp"

#include <boost/json/object.hpp>

#include <map>

namespace postrider::server {

boost::json::object node_json(queue::node_summary const& node);

// Without a state the bot is none of this process: what runs of it is null.
boost::json::object bot_json(storage::known_bot const& bot, bot_state const* state);

// The limits of the budget's scope; null where there is none any more. Cost in US cents.
boost::json::object budget_json(
    storage::spent_budget const& budget,
    std::map<std::string, storage::spending, std::less<>> const& limits
);

} // namespace postrider::server
