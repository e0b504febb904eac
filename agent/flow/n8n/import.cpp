#include "agent/flow/n8n/import.hpp"

#include "agent/flow/document/read_text.hpp"
#include "agent/flow/n8n/assembly.hpp"

#include <array>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::array<problem_code, 7> known_import_codes{{
    {"not_n8n", "the text is no workflow of n8n"},
    {"n8n_expression", "an expression was not converted; n8n's text is in its place"},
    {"n8n_placeholder", "a node has no counterpart; it is disabled, and its notes say what it did"},
    {"n8n_parameter", "a parameter means something else here, or is left out"},
    {"n8n_credential", "the configuration needs an entry, or a variable a value"},
    {"n8n_connection", "a connection has no counterpart and is left out"},
    {"n8n_difference", "a value or a number of runs may differ from n8n's"},
}};

} // namespace

boost::system::result<imported_draft, problem> import_workflow(
    std::string_view text, catalog const& types
) {
    definition_limits limits;
    limits.depth = 64;
    problem_list problems(1);
    auto const document = read_text(text, limits, problems);
    if (!document) return std::move(problems).take().front();
    auto const flow = read_workflow(*document);
    if (!flow) return flow.error();
    return assembly(*flow, types).run();
}

std::span<problem_code const> import_codes() noexcept {
    return known_import_codes;
}

boost::json::object to_json(import_counts const& counts) {
    return {
        {"nodes", counts.nodes},
        {"notes", counts.notes},
        {"code", counts.code},
        {"vendor", counts.vendor},
        {"vendor_mapped", counts.vendor_mapped},
        {"common", counts.common},
        {"common_mapped", counts.common_mapped},
        {"expressions", counts.expressions},
        {"converted", counts.converted}};
}

} // namespace postrider::agent::flow::n8n
