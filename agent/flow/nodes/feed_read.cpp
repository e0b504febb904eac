#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/feeds.hpp"
#include "agent/flow/parts/services.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

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
    for (std::size_t item = 0; item < run.input().size(); ++item) {
        auto const parameters = co_await run.parameters(item);
        if (!parameters) co_return parameters.error();
        auto const work = [&] { return read_newest(run, *parameters); };
        auto const entries = co_await run.steps().run("read", feed_tries(run), work);
        if (!entries) co_return entries.error();
        for (auto const& entry : entries->as_array()) all.push_back({entry});
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
