#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/csv_delimiters.hpp"
#include "agent/formats/csv.hpp"

#include <fmt/format.h>

#include <set>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Each row has a copy of the header's names.
constexpr std::size_t most_name_bytes = 32u << 20;

base::result<void> check_size_of_names(formats::csv_row const& names, std::size_t rows) {
    std::size_t bytes = 0;
    for (auto const& name : names) bytes += name.size();
    if (bytes * rows <= most_name_bytes) return {};
    return base::error(
        base::errc::too_large, fmt::format("the names of the header are too long for {} rows", rows)
    );
}

base::result<formats::csv_row> take_header(std::vector<formats::csv_row>& rows, bool is_written) {
    formats::csv_row names;
    if (is_written && !rows.empty()) {
        names = std::move(rows.front());
        rows.erase(rows.begin());
    } else if (!rows.empty()) {
        names.resize(rows.front().size());
    }
    std::set<std::string_view> known;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].empty()) names[i] = fmt::format("column{}", i + 1);
        if (!known.insert(names[i]).second)
            return base::error(
                base::errc::invalid, fmt::format("the header has two columns \"{}\"", names[i])
            );
    }
    return names;
}

base::result<outputs> read_rows(item_run const& run) {
    auto const& parameters = run.parameters;
    auto rows = formats::read_csv(parameters.at("text").get_string(), csv_delimiter_of(parameters));
    if (!rows) return rows.error();
    bool const has_header = parameters.at("header").get_bool();
    auto const names = take_header(*rows, has_header);
    if (!names) return names.error();
    if (auto const size = check_size_of_names(*names, rows->size()); !size) return size.error();
    json::array objects;
    for (std::size_t i = 0; i < rows->size(); ++i) {
        auto& row = (*rows)[i];
        if (row.size() != names->size())
            return base::error(
                base::errc::invalid,
                fmt::format(
                    "row {} has {} fields, not {}",
                    i + (has_header ? 2 : 1),
                    row.size(),
                    names->size()
                )
            );
        json::object fields;
        for (std::size_t k = 0; k < row.size(); ++k) fields[(*names)[k]] = std::move(row[k]);
        objects.push_back(std::move(fields));
    }
    if (parameters.at("result").get_string() == "rows")
        return to_main(json::object{{"rows", std::move(objects)}});
    outputs output;
    for (auto& fields : objects) output["main"].push_back({std::move(fields)});
    return output;
}

} // namespace

behaviour csv_read_behaviour() {
    return pure{read_rows};
}

} // namespace postrider::agent::flow
