#pragma once
// What a person should look at, as one list of items: what waits for people, what failed, and what is out
// of order. An item has the operations of the API that settle it, each with one sentence that says
// what it does. Reading is bounded: fifty items of a kind at most, with the number of all; counts
// stop at 10,000.
#include "base/error.hpp"
#include "server/views/group_desk.hpp"
#include "storage/database.hpp"
#include "storage/stores/budgets.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::server {

inline constexpr int most_attention_items = 50; // of a kind

// A POST.
struct attention_action {
    std::string name; // "approve"
    std::string path; // "/api/v1/approvals/ID/approve"
    std::string says; // for the button: one sentence
    boost::json::object body = {};
    std::string label = {}; // on the button; "" = the name
};

struct attention_item {
    std::string id;         // unique within its kind
    std::string since = {}; // ISO 8601 in UTC; "" = not known
    std::string title;
    std::string detail = {};
    boost::json::object link_to; // {"job_id": 42, "lane": "1:5:0"}
    std::vector<attention_action> actions = {};
};

struct attention_kind {
    std::string_view name;
    std::int64_t total = 0;
    std::vector<attention_item> items = {}; // newest first, where that is known
};

struct attention {
    std::string time; // of the database
    std::vector<attention_kind> kinds;
};

// "approval", …: in the order of the list.
std::vector<std::string_view> attention_kinds();

// A server of [mcp.NAME] that did not answer this process the last time.
struct failing_mcp_server {
    std::string name;
    std::string since; // ISO 8601 in UTC
    base::errc failure = base::errc::unavailable;
};

// What is known beside the database.
struct attention_sources {
    std::map<std::string, storage::spending, std::less<>> budgets; // the limits, by scope
    std::vector<failing_mcp_server> failing_mcp_servers;
    std::vector<group_state> groups = {}; // as Telegram told of them last
};

// Inside an open transaction; throws as transaction::query() does.
attention read_attention(storage::transaction& tx, attention_sources const& sources);

struct attention_filter {
    std::string kind = {}; // "" = all
    int limit = 20;        // items of a kind
};

// {"time", "total", "total_is_estimate", "kinds": [{"kind", "total"}], "items": […]}. Pure.
boost::json::object attention_json(attention const& attention, attention_filter const& filter);

} // namespace postrider::server
