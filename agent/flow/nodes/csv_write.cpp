#include "agent/expression/expression.hpp"
#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/csv_delimiters.hpp"
#include "agent/formats/csv.hpp"

#include <fmt/format.h>

#include <set>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::size_t most_written_bytes = 16u << 20;

base::error too_much_to_write() {
    return {
        base::errc::too_large,
        fmt::format(
            "more than {} columns or {} MiB", formats::most_csv_columns, most_written_bytes >> 20
        )};
}

formats::csv_row columns_of(json::object const& parameters, items const& input) {
    formats::csv_row columns;
    for (auto const& name : parameters.at("columns").get_array())
        columns.emplace_back(name.get_string());
    if (!columns.empty()) return columns;
    std::set<std::string_view> known;
    for (auto const& entry : input)
        if (auto const* fields = entry.json.if_object())
            for (auto const& field : *fields)
                if (known.insert(field.key()).second) columns.emplace_back(field.key());
    return columns;
}

std::string field_text(json::value const* value, bool may_be_formula) {
    auto text = value ? text_of(*value) : std::string();
    constexpr std::string_view signs = "=+-@\t\r";
    bool const is_formula =
        value && value->is_string() && !text.empty() && signs.find(text.front()) != signs.npos;
    return is_formula && !may_be_formula ? "'" + text : text;
}

base::awaitable<base::result<outputs>> write_rows(node_run& run) {
    auto const parameters = co_await run.parameters();
    if (!parameters) co_return parameters.error();
    auto const columns = columns_of(*parameters, run.input());
    if (columns.size() > formats::most_csv_columns) co_return too_much_to_write();
    auto const delimiter = csv_delimiter_of(*parameters);
    bool const formulas = parameters->at("formulas").get_bool();
    std::string text;
    std::size_t bytes = 0;
    if (parameters->at("header").get_bool()) formats::append_csv(text, columns, delimiter);
    for (auto const& entry : run.input()) {
        auto const* fields = entry.json.if_object();
        formats::csv_row row;
        for (auto const& column : columns) {
            row.push_back(field_text(fields ? fields->if_contains(column) : nullptr, formulas));
            bytes += row.back().size() + 1;
            if (bytes > most_written_bytes) co_return too_much_to_write();
        }
        formats::append_csv(text, row, delimiter);
    }
    co_return to_main(json::object{
        {"text", std::move(text)}, {"rows", std::int64_t(run.input().size())}});
}

} // namespace

behaviour csv_write_behaviour() {
    return durable{write_rows};
}

} // namespace postrider::agent::flow
