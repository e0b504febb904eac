#include "agent/flow/definition.hpp"

#include "agent/flow/read_parts.hpp"
#include "agent/flow/read_text.hpp"
#include "base/names.hpp"

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr int newest_format = 1;

constexpr base::names<connection_kind, 4> kinds{{
    {connection_kind::main, "main"},
    {connection_kind::ai_model, "ai_model"},
    {connection_kind::ai_memory, "ai_memory"},
    {connection_kind::ai_tool, "ai_tool"},
}};

constexpr base::names<error_strategy, 3> strategies{{
    {error_strategy::fail, "fail"},
    {error_strategy::carry_on, "continue"},
    {error_strategy::error_output, "error_output"},
}};

void check_format(form& in) {
    auto const format = in.integer("format", INT64_MIN, INT64_MAX, presence::required);
    if (!format || *format == newest_format) return;
    in.complain(
        "format",
        "unknown_format",
        fmt::format("format {} is not known", *format),
        fmt::format("this version reads format {}", newest_format)
    );
}

definition read(json::object document, problem_list& found) {
    form in(document, "", "", found);
    definition made;
    check_format(in);
    made.name = in.text("name", flow_name, presence::required).value_or("");
    made.description = in.text("description", prose).value_or("");
    if (auto const* settings = in.object("settings"))
        made.settings = read_settings(*settings, found);
    if (auto const* nodes = in.array("nodes", presence::required))
        made.nodes = read_nodes(*nodes, found);
    if (auto const* connections = in.array("connections"))
        made.connections = read_connections(*connections, made.nodes, found);
    made.document = std::move(document);
    return made;
}

read_definition_result read_within_limits(json::value document, definition_limits const& limits) {
    problem_list found(limits.problems);
    auto* members = document.if_object();
    if (!members) {
        found.add({.code = "wrong_type", .message = "a definition must be an object"});
        return std::move(found).take();
    }
    auto made = read(std::move(*members), found);
    if (!found.empty()) return std::move(found).take();
    return made;
}

} // namespace

std::string_view to_string(connection_kind kind) noexcept {
    return base::name_of(kinds, kind);
}

std::optional<connection_kind> connection_kind_from_string(std::string_view name) noexcept {
    return base::named(kinds, name);
}

std::string_view to_string(error_strategy how) noexcept {
    return base::name_of(strategies, how);
}

std::optional<error_strategy> error_strategy_from_string(std::string_view name) noexcept {
    return base::named(strategies, name);
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
    auto const found = std::ranges::find_if(nodes, [&](node const& one) {
        return one.id == id_or_name || one.name == id_or_name;
    });
    if (found == nodes.end()) return std::nullopt;
    return static_cast<std::size_t>(found - nodes.begin());
}

read_definition_result read_definition(std::string_view text, definition_limits limits) {
    auto document = read_text(text, limits);
    if (auto* problems = std::get_if<std::vector<problem>>(&document)) return std::move(*problems);
    return read_within_limits(std::move(std::get<json::value>(document)), limits);
}

read_definition_result read_definition(json::value const& document, definition_limits limits) {
    if (auto beyond = beyond_limits(document, limits); !beyond.empty()) return beyond;
    return read_within_limits(document, limits);
}

json::value const& definition_schema() {
    static json::value const schema = json::parse(definition_schema_text());
    return schema;
}

} // namespace postrider::agent::flow
