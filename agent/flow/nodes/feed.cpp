#include "agent/describe/bounds.hpp"
#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/data_tables.hpp"
#include "agent/flow/nodes/feeds.hpp"
#include "agent/flow/parts/services.hpp"
#include "base/json/json.hpp"
#include "net/digest.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Of entries that were seen, newest first. More than a feed has: one that was seen does not come again.
constexpr std::size_t most_seen = 2 * formats::most_feed_entries;
constexpr std::string_view seen_key = "seen";

trigger_opening open_feed(json::object const& parameters) {
    json::value const values(parameters);
    base::json_reader const fields(values);
    schedule_opening times;
    times.recurrence.cron = fields["cron"].string_or("*/15 * * * *");
    times.recurrence.timezone = fields["timezone"].string_or("UTC");
    times.overlap = queue::overlap_policy::skip;
    return times;
}

// No name that a node of data tables may have.
storage::flow_table seen_table(node_run& run) {
    return {.flow = run.started_by().flow, .name = "feed." + run.node().id};
}

// {"entries": those that are new, oldest first, "seen": what is remembered from now on}. New ones beyond the
// limit are not seen yet: the next look finds them in the feed.
base::awaitable<queue::step_value> poll_feed(node_run& run, json::object const& parameters) {
    std::vector<storage::flow_key> const keys{{seen_table(run).name, std::string(seen_key)}};
    auto const stored = co_await storage::read_flow_data(
        run.services().reads, run.started_by().flow, keys, most_read_bytes, bounds::longest_read
    );
    if (!stored) co_return stored.error();
    auto entries =
        co_await fetch_feed(run.services(), std::string(parameters.at("url").get_string()));
    if (!entries) co_return entries.error();
    std::ranges::reverse(*entries);
    auto const& earlier = stored->front();
    json::array const earlier_digests = earlier ? earlier->as_array() : json::array();
    bool const only_remembers = !earlier && parameters.at("first").get_string() == "remember";
    auto const most = parameters.at("limit").to_number<std::size_t>();
    json::array fresh;
    json::array digests;
    for (auto const& entry : *entries) {
        json::value const digest(net::sha256_hex(entry.id).substr(0, 16));
        bool const is_new = std::ranges::find(earlier_digests, digest) == earlier_digests.end();
        if (is_new && !only_remembers && fresh.size() == most) continue;
        if (is_new && !only_remembers) fresh.push_back(to_json(entry));
        digests.push_back(digest);
    }
    std::ranges::reverse(digests);
    for (auto const& digest : earlier_digests)
        if (digests.size() < most_seen && std::ranges::find(digests, digest) == digests.end())
            digests.push_back(digest);
    co_return json::object{{"entries", std::move(fresh)}, {"seen", std::move(digests)}};
}

// What is new and that it was seen are one commit.
base::awaitable<base::result<outputs>> read_new_entries(node_run& run) {
    auto const parameters = co_await run.parameters();
    if (!parameters) co_return parameters.error();
    auto& steps = run.steps();
    bool const was_read = steps.recorded("poll");
    auto const work = [&] { return poll_feed(run, *parameters); };
    auto const polled = co_await steps.try_step("poll", feed_tries(run), work);
    if (!polled) co_return polled.error();
    if (!was_read && !run.started_by().silent) {
        storage::flow_data_row const row{.key = std::string(seen_key), .value = polled->at("seen")};
        steps.add(storage::put_flow_data(seen_table(run), row, user_id{}, std::nullopt));
        co_await run.commit({});
    }
    outputs output;
    for (auto const& entry : polled->at("entries").as_array()) output["main"].push_back({entry});
    co_return output;
}

} // namespace

behaviour feed_behaviour() {
    return trigger{
        .source = trigger_source::elsewhere,
        .open = open_feed,
        .read = read_new_entries,
    };
}

} // namespace postrider::agent::flow
