#include "tests/unit/agent/tool_seam/act.hpp"

namespace postrider::agent {

namespace {

namespace json = boost::json;

queue::effect_class class_of(json::object const&, json::object const& arguments) {
    auto const& name = arguments.at("class").as_string();
    return queue::effect_class_from_string({name.data(), name.size()}).value();
}

risk risk_of(json::object const& settings, json::object const& arguments) {
    auto const trusted = settings.at("most").as_int64();
    return arguments.at("amount").as_int64() > trusted ? risk::high : risk::medium;
}

base::awaitable<base::result<tool_output>> run_act(tool_context& context, json::object) {
    auto& acts = tests::acts;
    acts.keys.push_back(context.key());
    acts.requesters.push_back(context.requester());
    if (acts.behave) co_return acts.behave(context);
    co_return "done";
}

} // namespace

extern constinit tool const act_tool{
    .name = "act",
    .title = "Act",
    .documentation = "Acts.",
    .description = "Acts.",
    .arguments = R"({"type": "object", "required": ["class"], "properties": {
        "class": {"type": "string"}, "amount": {"type": "integer", "default": 1}}})",
    .settings = R"({"most": {"title": "Most", "type": "integer", "default": 10}})",
    .risk = risk_of,
    .effect_class = class_of,
    .result_limit = 100,
    .run = run_act,
};

} // namespace postrider::agent
