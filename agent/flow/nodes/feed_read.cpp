#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/feeds.hpp"
#include "agent/flow/parts/services.hpp"
#include "base/json/text.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Of the entries of all feeds that one run reads.
constexpr std::size_t most_feeds_bytes = 4u << 20;

base::awaitable<queue::step_value> read_newest(node_run& run, json::object const& parameters) {
    auto const most = parameters.at("limit").to_number<std::size_t>();
    auto const entries =
        co_await fetch_feed(run.services(), std::string(parameters.at("url").get_string()));
    if (!entries) co_return entries.error();
    json::array newest;
    for (auto const& entry : *entries)
        if (newest.size() < most) newest.push_back(to_json(entry));
    co_return json::value(std::move(newest));
}

base::awaitable<base::result<outputs>> read_feeds(node_run& run) {
    items all;
    std::size_t bytes = 0;
    for (std::size_t item = 0; item < run.input().size(); ++item) {
        auto const parameters = co_await run.parameters(item);
        if (!parameters) co_return parameters.error();
        auto const work = [&] { return read_newest(run, *parameters); };
        auto const entries = co_await run.steps().run("read", feed_tries(run), work);
        if (!entries) co_return entries.error();
        bytes += base::json_text(*entries).size();
        for (auto const& entry : entries->as_array()) all.push_back({entry});
        if (all.size() > most_items || bytes > most_feeds_bytes)
            co_return base::error(
                base::errc::too_large,
                fmt::format(
                    "the feeds have more than {} entries or {} MiB together",
                    most_items,
                    most_feeds_bytes >> 20
                )
            );
    }
    outputs output;
    output.emplace("main", std::move(all));
    co_return output;
}

} // namespace

behaviour feed_read_behaviour() {
    return durable{read_feeds};
}

} // namespace postrider::agent::flow
