#include "agent/flow/document/definition.hpp"

#include "agent/flow/document/read_parts.hpp"
#include "agent/flow/document/read_text.hpp"
#include "base/names.hpp"

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr int newest_format = 1;

constexpr base::names<error_strategy, 3> error_strategies{{
    {error_strategy::fail, "fail"},
    {error_strategy::carry_on, "continue"},
    {error_strategy::error_output, "error_output"},
}};

void check_format(form& members) {
    auto const format = members.integer("format", INT64_MIN, INT64_MAX, presence::required);
    if (!format || *format == newest_format) return;
    members.complain(
        "format",
        "unknown_format",
        fmt::format("format {} is not known", *format),
        fmt::format("this version reads format {}", newest_format)
    );
}

partial_definition read_document(json::object document, problem_list& problems) {
    form in(document, "", "", problems);
    partial_definition partial;
    auto& [flow, gaps] = partial;
    check_format(in);
    flow.name = in.text("name", flow_name, presence::required).value_or("");
    in.text("title", prose);
    flow.description = in.text("description", prose).value_or("");
    if (auto const* settings = in.object("settings"))
        flow.settings = read_settings(*settings, problems);
    if (auto const* nodes = in.array("nodes", presence::required))
        flow.nodes = read_nodes(*nodes, gaps, problems);
    else
        gaps.nodes = gaps.names = true;
    if (auto const* connections = in.array("connections"))
        flow.connections = read_connections(*connections, flow.nodes, gaps, problems);
    else if (document.contains("connections"))
        gaps.connections = true;
    if (auto const* notes = in.array("notes")) read_canvas_notes(*notes, problems);
    if (auto const* pinned = in.object("pinned")) read_pinned(*pinned, problems);
    flow.document = std::move(document);
    return partial;
}

std::optional<partial_definition> read_within_limits(json::value document, problem_list& problems) {
    if (auto* members = document.if_object()) return read_document(std::move(*members), problems);
    problems.add({.code = "wrong_type", .message = "a definition must be an object"});
    return std::nullopt;
}

// All of it, or what is wrong.
read_definition_result whole(std::optional<partial_definition> partial, problem_list problems) {
    if (!partial || !problems.empty()) return std::move(problems).take();
    return std::move(partial->flow);
}

} // namespace

std::string_view to_string(error_strategy strategy) noexcept {
    return base::name_of(error_strategies, strategy);
}

std::optional<error_strategy> error_strategy_from_string(std::string_view name) noexcept {
    return base::named(error_strategies, name);
}

base::retry_policy node::tries(base::retry_policy usual) const {
    if (!retry) return usual;
    usual.limit = retry->limit;
    usual.delay = retry->delay;
    usual.backoff = retry->backoff;
    usual.total.reset();
    return usual;
}

std::optional<std::size_t> definition::find(std::string_view id_or_name) const noexcept {
    auto const place = std::ranges::find_if(nodes, [&](node const& node) {
        return node.id == id_or_name || node.name == id_or_name;
    });
    if (place == nodes.end()) return std::nullopt;
    return static_cast<std::size_t>(place - nodes.begin());
}

read_definition_result read_definition(std::string_view text, definition_limits limits) {
    problem_list problems(limits.problems);
    auto partial = read_partially(text, problems, limits);
    return whole(std::move(partial), std::move(problems));
}

read_definition_result read_definition(json::value const& document, definition_limits limits) {
    problem_list problems(limits.problems);
    if (!within_limits(document, limits, problems)) return std::move(problems).take();
    auto partial = read_within_limits(document, problems);
    return whole(std::move(partial), std::move(problems));
}

std::optional<partial_definition> read_partially(
    std::string_view text, problem_list& problems, definition_limits limits
) {
    auto document = read_text(text, limits, problems);
    if (!document) return std::nullopt;
    return read_within_limits(std::move(*document), problems);
}

json::value const& definition_schema() {
    static json::value const schema = json::parse(definition_schema_text());
    return schema;
}

} // namespace postrider::agent::flow
