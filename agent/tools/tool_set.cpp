#include "agent/tools/check_arguments.hpp"
#include "agent/tools/tool.hpp"

namespace postrider::agent {

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

void tool_set::add(std::unique_ptr<tool> added) {
    auto name = added->spec().name;
    tools_.insert_or_assign(std::move(name), std::move(added));
}

tool* tool_set::find(std::string_view name) const noexcept {
    auto found = tools_.find(name);
    return found == tools_.end() ? nullptr : found->second.get();
}

std::vector<tool_spec> tool_set::specs() const {
    std::vector<tool_spec> specs;
    for (auto const& [name, one] : tools_) specs.push_back(one->spec());
    return specs;
}

base::awaitable<base::result<std::string>> tool_set::run(tool_call call, tool_context context)
    const {
    auto found = find(call.name);
    if (!found) {
        std::string known;
        for (auto const& [name, one] : tools_) known += (known.empty() ? "" : ", ") + name;
        co_return base::error(
            base::errc::not_found,
            "there is no tool of this name; the tools are: " + (known.empty() ? "none" : known)
        );
    }
    if (!call.arguments.is_object())
        co_return base::error(base::errc::invalid, "the arguments are not a JSON object");
    auto fits = check_arguments(found->spec().parameters, call.arguments.get_object());
    if (!fits) co_return fits.error();
    co_return co_await found->run(std::move(call.arguments.get_object()), std::move(context));
}

tool_set builtin_tools(base::clock& clock) {
    tool_set tools;
    tools.add(make_calculator());
    tools.add(make_current_time(clock));
    return tools;
}

} // namespace postrider::agent
