#include "agent/flow/node_type.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

void add_values(json::object& lists, json::object const& parameters) {
    bool const keeps_missing = parameters.at("keep_missing").get_bool();
    for (auto const& [name, value] : parameters.at("fields").get_object()) {
        auto& list = lists[name];
        if (list.is_null()) list = json::array();
        if (keeps_missing || !value.is_null()) list.get_array().push_back(value);
    }
}

// Without steps: computed anew at every run, as what pure nodes do.
base::awaitable<base::result<outputs>> aggregate_items(node_run& run) {
    if (run.node().parameters.contains("totals")) {
        auto const parameters = co_await run.parameters(); // they are the same for every item
        if (!parameters) co_return parameters.error();
        auto const* totals = parameters->if_contains("totals"); // an expression may make null of it
        co_return to_main(totals ? *totals : json::value(json::object()));
    }
    json::object lists;
    for (std::size_t at = 0; at < run.input().size(); ++at) {
        auto const parameters = co_await run.parameters(at);
        if (!parameters) co_return parameters.error();
        if (parameters->contains("fields")) {
            add_values(lists, *parameters);
            continue;
        }
        auto& list = lists[parameters->at("into").get_string()];
        if (list.is_null()) list = json::array();
        list.get_array().push_back(*run.input()[at].json);
    }
    co_return to_main(std::move(lists));
}

} // namespace

behaviour items_aggregate_behaviour() {
    return durable{aggregate_items};
}

} // namespace postrider::agent::flow
