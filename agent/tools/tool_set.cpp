#include "agent/tools/tool.hpp"

namespace postrider::agent {

namespace json = boost::json;

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
    if (!call.arguments.is_object())
        return base::error(base::errc::invalid, "the arguments are not a JSON object");
    auto const misfits = found->second.parameters.check(call.arguments);
    if (!misfits.empty())
        return base::error(
            base::errc::invalid,
            "the arguments do not fit the tool's parameters:\n" +
                base::json_schema::to_text(misfits, "the arguments")
        );
    return call.arguments.get_object();
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
