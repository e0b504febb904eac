#include "agent/flow/node_type.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

json::value split_element(item_run const& run, json::value const& element) {
    bool const keeps_others = run.parameters.at("keep_others").get_bool();
    bool const wraps = keeps_others || run.parameters.at("wrap").get_bool();
    if (element.is_object() && !wraps) return element;
    json::object fields;
    auto const* members = run.input.json.if_object();
    if (keeps_others && members) fields = *members;
    fields[run.parameters.at("field").get_string()] = element;
    return fields;
}

base::result<outputs> split_items(item_run const& run) {
    outputs output;
    auto const& list = run.parameters.at("list").get_array();
    // One more than may come out is enough to be refused.
    auto const count = std::min(list.size(), most_items + 1);
    for (std::size_t at = 0; at < count; ++at)
        output["main"].push_back({split_element(run, list[at])});
    return output;
}

} // namespace

behaviour items_split_behaviour() {
    return pure{split_items};
}

} // namespace postrider::agent::flow
