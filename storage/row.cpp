#include "storage/row.hpp"

#include <boost/json/parse.hpp>

#include <charconv>

namespace postrider::storage {

namespace {

[[noreturn]] void unreadable(std::size_t column, std::string_view type) {
    throw database_error(
        "column " + std::to_string(column) + " of a result is not " + std::string(type)
    );
}

std::shared_ptr<cells const> line_of(std::vector<std::optional<std::string>> const& values) {
    auto line = std::make_shared<cells>(values.size());
    for (auto const& value : values) {
        if (value)
            line->add(*value);
        else
            line->add_null();
    }
    return line;
}

} // namespace

void cells::add(std::string_view value) {
    places_.push_back({bytes_.size(), value.size()});
    bytes_ += value;
}

std::optional<std::string_view> cells::at(std::size_t index) const {
    auto const& found = places_.at(index);
    if (found.size == null) return std::nullopt;
    return std::string_view(bytes_).substr(found.begin, found.size);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): its callers give their own away
rows rows_of(std::shared_ptr<cells const> all, std::size_t count) {
    rows lines;
    lines.reserve(count);
    for (std::size_t number = 0; number < count; ++number) lines.emplace_back(all, number);
    return lines;
}

row::row(std::vector<std::optional<std::string>> const& values) : row(line_of(values), 0) {}

std::optional<std::string_view> row::cell(std::size_t column) const {
    if (column >= size()) unreadable(column, "there");
    return cells_->at(first_ + column);
}

bool row::null(std::size_t column) const {
    return !cell(column);
}

std::string_view row::view(std::size_t column) const {
    auto const value = cell(column);
    if (!value) unreadable(column, "set");
    return *value;
}

std::int64_t row::int64(std::size_t column) const {
    auto const text = view(column);
    std::int64_t value = 0;
    auto const* end = text.data() + text.size();
    auto [stop, ec] = std::from_chars(text.data(), end, value);
    if (ec != std::errc{} || stop != end) unreadable(column, "an integer");
    return value;
}

bool row::boolean(std::size_t column) const {
    auto const value = view(column);
    if (value != "t" && value != "f") unreadable(column, "a boolean");
    return value == "t";
}

boost::json::value row::json(std::size_t column) const {
    auto value = try_json(column);
    if (!value) unreadable(column, "JSON");
    return std::move(*value);
}

base::result<boost::json::value> row::try_json(std::size_t column) const {
    boost::json::error_code ec;
    boost::json::parse_options limits;
    limits.max_depth = 1'000; // Postgres has accepted it
    auto const text = view(column);
    auto value = boost::json::parse({text.data(), text.size()}, ec, {}, limits);
    if (ec) return base::error(base::errc::invalid, ec.message());
    return value;
}

std::optional<std::string> row::optional_text(std::size_t column) const {
    if (null(column)) return std::nullopt;
    return text(column);
}

std::optional<std::int64_t> row::optional_int64(std::size_t column) const {
    if (null(column)) return std::nullopt;
    return int64(column);
}

base::sys_time row::time(std::size_t column) const {
    return base::sys_time{std::chrono::microseconds{int64(column)}};
}

std::optional<base::sys_time> row::optional_time(std::size_t column) const {
    if (null(column)) return std::nullopt;
    return time(column);
}

} // namespace postrider::storage
