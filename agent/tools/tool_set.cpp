#include "agent/tools/tool.hpp"

namespace postrider::agent {

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
        auto* given = arguments.if_contains(name);
        if (given && given->is_object()) fill_defaults(*described, given->get_object());
    }
}

} // namespace

std::string_view to_string(risk r) noexcept {
    switch (r) {
    case risk::low:
        return "low";
    case risk::medium:
        return "medium";
    case risk::high:
        return "high";
    }
    return "unknown";
}

base::result<void> tool_set::add(std::shared_ptr<tool> added) {
    auto const& spec = added->spec();
    auto parameters = base::json_schema::compile(spec.parameters);
    if (!parameters)
        return base::error(
            base::errc::invalid,
            "the parameters of the tool " + spec.name + " are no JSON Schema:\n" +
                to_text(parameters.error())
        );
    auto name = spec.name;
    tools_.insert_or_assign(std::move(name), entry{std::move(added), std::move(*parameters)});
    return {};
}

tool* tool_set::find(std::string_view name) const noexcept {
    auto found = tools_.find(name);
    return found == tools_.end() ? nullptr : found->second.own.get();
}

std::vector<tool_spec> tool_set::specs() const {
    std::vector<tool_spec> specs;
    for (auto const& [name, one] : tools_) specs.push_back(one.own->spec());
    return specs;
}

base::result<json::object> tool_set::check(tool_call const& call) const {
    auto const found = tools_.find(call.name);
    if (found == tools_.end()) {
        std::string known;
        for (auto const& [name, one] : tools_) known += (known.empty() ? "" : ", ") + name;
        return base::error(
            base::errc::not_found,
            "there is no tool of this name; the tools are: " + (known.empty() ? "none" : known)
        );
    }
    if (auto const why = unusable_arguments(call); !why.empty())
        return base::error(base::errc::invalid, std::string(why));
    auto arguments = call.arguments.get_object();
    fill_defaults(found->second.own->spec().parameters, arguments);
    auto const misfits = found->second.parameters.check(arguments);
    if (!misfits.empty())
        return base::error(
            base::errc::invalid,
            "the arguments do not fit the tool's parameters:\n" +
                base::json_schema::to_text(misfits, "the arguments")
        );
    return arguments;
}

base::awaitable<base::result<std::string>> tool_set::run(tool_call call, tool_context context)
    const {
    auto arguments = check(call);
    if (!arguments) co_return arguments.error();
    co_return co_await find(call.name)->run(std::move(*arguments), std::move(context));
}

tool_set builtin_tools(base::clock& clock) {
    tool_set tools;
    tools.add(make_calculator()).value();
    tools.add(make_current_time(clock)).value();
    return tools;
}

} // namespace postrider::agent
