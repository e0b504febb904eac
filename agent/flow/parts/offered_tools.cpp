#include "agent/flow/parts/offered_tools.hpp"

#include "agent/flow/parts/mcp_tool.hpp"
#include "agent/tools/call_refusal.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// What the model left out and the schema has a value for, however deep.
void fill_defaults(json::object const& schema, json::object& arguments) {
    auto const* properties = schema.if_contains("properties");
    if (!properties || !properties->is_object()) return;
    for (auto const& [name, property] : properties->get_object()) {
        auto const* described = property.if_object();
        if (!described) continue;
        if (auto const* fallback = described->if_contains("default"))
            arguments.emplace(name, *fallback);
        auto* argument = arguments.if_contains(name);
        if (argument && argument->is_object()) fill_defaults(*described, argument->get_object());
    }
}

} // namespace

offered_tool offer(tool const& tool, std::string name, json::object settings) {
    offered_tool offered;
    if (name.empty()) name = tool.name;
    offered.spec = {
        std::move(name), std::string(tool.description), json::parse(tool.arguments).as_object()};
    offered.kind = "tool." + std::string(tool.name);
    offered.configured_as = tool.name; // whatever its node calls it
    offered.settings = std::move(settings);
    offered.risk = tool.risk;
    offered.effect_class = tool.effect_class;
    offered.is_instant = tool.is_instant;
    offered.configuration = usual_configuration(tool);
    offered.is_set_up = tool.is_set_up;
    offered.tries = tool.tries;
    offered.result_limit = tool.result_limit;
    offered.returns_untrusted = tool.returns_untrusted;
    if (tool.message)
        offered.work = tool.message;
    else
        offered.work = tool_function(tool.run);
    return offered;
}

bool configure(
    offered_tool& tool, std::map<std::string, tool_configuration, std::less<>> const& configured
) {
    auto const entry =
        configured.find(tool.configured_as.empty() ? tool.spec.name : tool.configured_as);
    if (entry != configured.end()) tool.configuration = entry->second;
    tool.own_risk = tool.risk;
    if (tool.configuration.risk) tool.risk = *tool.configuration.risk;
    return !tool.is_set_up || tool.is_set_up(tool.configuration);
}

base::result<void> offered_tools::add(offered_tool added) {
    bool const is_foreign = !mcp_server_of(added).empty();
    auto parameters = json_schema::compile(added.spec.parameters, {.skips_unusable = is_foreign});
    if (!parameters)
        return base::error(
            base::errc::invalid,
            "the parameters of the tool " + added.spec.name + " are no JSON Schema:\n" +
                to_text(parameters.error())
        );
    auto name = added.spec.name;
    specs_.reset();
    tools_.insert_or_assign(std::move(name), entry{std::move(added), std::move(*parameters)});
    return {};
}

offered_tool const* offered_tools::find(std::string_view name) const noexcept {
    auto const entry = tools_.find(name);
    return entry == tools_.end() ? nullptr : &entry->second.tool;
}

tool_list const& offered_tools::specs() const {
    if (!specs_) {
        std::vector<tool_spec> specs;
        for (auto const& [name, offered] : tools_) specs.push_back(offered.tool.spec);
        specs_ = tool_list(std::move(specs));
    }
    return *specs_;
}

std::vector<tool_family const*> offered_tools::families() const {
    std::vector<tool_family const*> result;
    for (auto const& [name, offered] : tools_)
        if (auto const* family = offered.tool.family;
            family && std::ranges::count(result, family) == 0)
            result.push_back(family);
    return result;
}

base::result<offered_tools::checked_call> offered_tools::check(tool_call const& call) const {
    auto const entry = tools_.find(call.name);
    if (entry == tools_.end()) {
        std::string tool_names;
        for (auto const& [name, offered] : tools_)
            tool_names += (tool_names.empty() ? "" : ", ") + name;
        return base::error(
            base::errc::not_found,
            "there is no tool of this name; the tools are: " +
                (tool_names.empty() ? "none" : tool_names),
            call_refusal::unfit
        );
    }
    if (auto const reason = unusable_arguments(call); !reason.empty())
        return base::error(base::errc::invalid, std::string(reason), call_refusal::unfit);
    auto const& [tool, parameters] = entry->second;
    auto arguments = call.arguments.get_object();
    fill_defaults(tool.spec.parameters, arguments);
    auto violations = parameters.check(arguments);
    if (!violations.empty()) {
        // A default may break its own schema: serializers write null for none.
        auto unfilled = parameters.check(call.arguments);
        if (unfilled.size() < violations.size()) {
            violations = std::move(unfilled);
            arguments = call.arguments.get_object();
        }
    }
    if (!violations.empty())
        return base::error(
            base::errc::invalid,
            "the arguments do not fit the tool's parameters:\n" +
                json_schema::to_text(violations, "the arguments"),
            call_refusal::unfit
        );
    return checked_call{&tool, std::move(arguments)};
}

} // namespace postrider::agent::flow
