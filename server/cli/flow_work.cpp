#include "server/cli/flow_work.hpp"

#include "base/json/text.hpp"
#include "server/cli/flow_report.hpp"
#include "server/cli/parser/suggestion.hpp"
#include "server/start/validation_context.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

constexpr int most_suggested = 1000;

} // namespace

std::string flow_suggestion(storage::transaction& tx, std::string const& name) {
    std::vector<std::string> names;
    for (auto const& flow : storage::list_flows(tx, "", most_suggested, true))
        names.push_back(flow.name);
    return suggestion(name, names);
}

void declare_flow(option_parser& parser, named_flow& args) {
    add_name(parser, args.name, "The flow's name");
}

agent::flow::validator validator_of(context const& in, agent::flow::catalog const& types) {
    auto const& values = in.configured.values;
    return {&types, server::validation_context_of(values), server::agents_of(values)};
}

int with_outcome(
    context const& in, std::string_view doing, outcome_work work, database_access& access
) {
    std::optional<agent::flow::allowed<report>> result;
    int const code = access(in, doing, [&](auto& tx) { result.emplace(work(tx)); });
    if (code != 0) return code;
    if (!*result) {
        auto const reason = result->error();
        in.out << to_text(reason.problems);
        in.err << fmt::format("postrider: cannot {}: {}\n", doing, reason.detail);
        return 1;
    }
    auto const& [json, text, said] = **result;
    in.out << (in.json ? base::json_text(json) + "\n" : text);
    if (!in.json) in.err << said;
    return 0;
}

agent::flow::allowed<storage::flow_row> find_flow(
    storage::transaction& tx, std::string const& name
) {
    if (auto row = storage::lock_flow(tx, name)) return std::move(*row);
    return agent::flow::refusal{
        "not_found",
        "there is no flow " + name +
            hint_and(flow_suggestion(tx, name), "`postrider flows list` shows all")};
}

int on_flow(context const& in, std::string const& name, std::string_view doing, flow_work work) {
    return with_outcome(in, doing, [&](auto& tx) -> agent::flow::allowed<report> {
        auto const row = find_flow(tx, name);
        if (!row) return row.error();
        return work(tx, *row);
    });
}

} // namespace postrider::cli
