#include "server/cli/flow_work.hpp"

#include "base/json_text.hpp"
#include "server/cli/flow_report.hpp"
#include "server/flow_surroundings.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

agent::flow::judge judge_of(context const& in, agent::flow::catalog const& types) {
    auto const& values = in.configured.values;
    return {&types, server::surroundings_of(values), server::agents_of(values)};
}

int with_outcome(context const& in, std::string_view doing, outcome_work work) {
    std::optional<agent::flow::allowed<report>> result;
    int const code =
        in_migrated(in, application, doing, [&](auto& tx) { result.emplace(work(tx)); });
    if (code != 0) return code;
    if (!*result) {
        auto const why = result->error();
        in.out << to_text(why.problems);
        in.err << fmt::format("postrider: cannot {}: {}\n", doing, why.detail);
        return 1;
    }
    auto const& [json, text, said] = **result;
    in.out << (in.args.json ? base::json_text(json) + "\n" : text);
    if (!in.args.json) in.err << said;
    return 0;
}

int on_flow(context const& in, std::string_view doing, flow_work work) {
    return with_outcome(in, doing, [&](auto& tx) -> agent::flow::allowed<report> {
        auto const& name = in.args.flow.name;
        auto const row = storage::lock_flow(tx, name);
        if (row) return work(tx, *row);
        return agent::flow::refusal{
            "not_found",
            fmt::format("there is no flow {}; `postrider flows list` shows all", name)};
    });
}

} // namespace postrider::cli
