#include "storage/database.hpp"

#include <boost/json/parse.hpp>

#include <charconv>

namespace postrider::storage {

namespace {

[[noreturn]] void unreadable(std::size_t column, std::string_view wanted) {
    throw database_error(
        "column " + std::to_string(column) + " of a result is not " + std::string(wanted)
    );
}

std::int64_t to_int64(std::string const& text, std::size_t column) {
    std::int64_t value = 0;
    auto const* end = text.data() + text.size();
    auto [stop, ec] = std::from_chars(text.data(), end, value);
    if (ec != std::errc{} || stop != end) unreadable(column, "an integer");
    return value;
}

} // namespace

bool row::null(std::size_t column) const {
    if (column >= values_.size()) unreadable(column, "there");
    return !values_[column];
}

std::string const& row::text(std::size_t column) const {
    if (null(column)) unreadable(column, "set");
    return *values_[column];
}

std::int64_t row::int64(std::size_t column) const {
    return to_int64(text(column), column);
}

bool row::boolean(std::size_t column) const {
    auto const& value = text(column);
    if (value != "t" && value != "f") unreadable(column, "a boolean");
    return value == "t";
}

boost::json::value row::json(std::size_t column) const {
    boost::json::error_code ec;
    boost::json::parse_options limits;
    limits.max_depth = 1'000; // Postgres has accepted it
    auto value = boost::json::parse(text(column), ec, {}, limits);
    if (ec) unreadable(column, "JSON");
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

} // namespace postrider::storage
