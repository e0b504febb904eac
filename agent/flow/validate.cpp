#include "agent/flow/validate.hpp"

#include "agent/flow/inspection.hpp"
#include "base/setting.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace postrider::agent::flow {

void find_types(inspection& in) {
    std::vector<std::string> names;
    for (auto const* type : in.types.all()) names.push_back(type->name);
    for (auto const& one : in.flow.nodes) {
        auto const* type = in.types.find(one.type, one.type_version);
        in.type_of.push_back(type);
        if (type) continue;
        auto const* newest = in.types.find(one.type);
        if (!newest)
            in.add(
                one,
                {.code = "unknown_type",
                 .path = below(one.path, "type"),
                 .message = fmt::format("there is no node type {}", quoted(one.type)),
                 .hint = hint_for(one.type, names)}
            );
        else
            in.add(
                one,
                {.code = "unknown_version",
                 .path = below(one.path, "type_version"),
                 .message = fmt::format("{} has no version {}", one.type, one.type_version),
                 .hint = fmt::format("the newest is {}", newest->version)}
            );
    }
}

std::string hint_for(std::string_view word, std::vector<std::string> const& known) {
    constexpr std::size_t few = 12;
    constexpr std::size_t longest = 100; // of a word that somebody mistyped
    auto const meant = word.size() > longest ? "" : base::nearest(word, known);
    if (!meant.empty()) return fmt::format("did you mean {}?", quoted(meant));
    if (known.empty() || known.size() > few) return {};
    return fmt::format("there is: {}", fmt::join(known, ", "));
}

std::vector<problem> validate(
    definition const& flow, catalog const& types, surroundings const& around
) {
    problem_list problems(definition_limits{}.problems);
    inspection in{.flow = flow, .types = types, .around = around, .problems = problems};
    find_types(in);
    check_settings(in);
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
        if (in.type_of[i]) check_parameters(in, i);
        check_expressions(in, i);
    }
    check_ports(in);
    check_tool_names(in);
    check_cycles(in);
    check_reach(in);
    return std::move(problems).take();
}

} // namespace postrider::agent::flow
