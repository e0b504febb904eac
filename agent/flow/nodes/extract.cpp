#include "agent/flow/nodes/agent.hpp"
#include "agent/flow/nodes/agent_kinds.hpp"
#include "agent/flow/nodes/field_of_item.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

json::object extractor_of(json::object const& parameters) {
    return agent_with_schema(
        parameters,
        "You read texts and answer with the facts in them. Use the text alone: leave out what it "
        "does not "
        "say.\n",
        parameters.at("schema").get_object()
    );
}

base::awaitable<base::result<outputs>> extract_facts(node_run& run) {
    auto const answers = co_await answer_items(run, extractor_of);
    if (!answers) co_return answers.error();
    outputs output;
    for (std::size_t i = 0; i < answers->size(); ++i) {
        auto const parameters = co_await run.parameters(i);
        if (!parameters) co_return parameters.error();
        auto const& facts = (*answers)[i].json.at("output");
        auto fields = with_field(run.input()[i], parameters->at("field").get_string(), facts);
        output["main"].push_back({std::move(fields)});
    }
    co_return output;
}

} // namespace

behaviour extract_behaviour() {
    return durable{extract_facts};
}

} // namespace postrider::agent::flow
