#pragma once
// Rows that Postgres returned, copied out of the connection: all cells of a result stand in one
// block, which its rows share. Values are in Postgres' text form. A null reads as an absent
// optional; the plain accessors throw database_error on a null, on an unreadable value and on a
// column that is not there (defects of ours). Immutable once built; rows may travel to another
// thread.
#include "base/clock.hpp"
#include "base/error.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

struct database_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The cells of one result, row after row.
class cells {
public:
    explicit cells(std::size_t columns) : columns_(columns) {}

    void reserve(std::size_t count) { places_.reserve(count); }
    void add(std::string_view value);
    void add_null() { places_.push_back({bytes_.size(), null}); }

    std::size_t columns() const noexcept { return columns_; }
    std::optional<std::string_view> at(std::size_t index) const;

private:
    static constexpr std::size_t null = static_cast<std::size_t>(-1);
    struct place {
        std::size_t begin;
        std::size_t size;
    };

    std::size_t columns_;
    std::string bytes_;
    std::vector<place> places_;
};

class row {
public:
    row(std::shared_ptr<cells const> of, std::size_t number)
        : cells_(std::move(of)),
          first_(number * cells_->columns()) {}
    // A row of its own, as tests make them.
    explicit row(std::vector<std::optional<std::string>> const& values);

    std::size_t size() const noexcept { return cells_->columns(); }
    bool null(std::size_t column) const;
    std::string text(std::size_t column) const { return std::string(view(column)); }
    std::string_view view(std::size_t column) const; // valid while the row lives
    std::int64_t int64(std::size_t column) const;
    bool boolean(std::size_t column) const;
    boost::json::value json(std::size_t column) const;
    // Postgres takes JSON that is nested more deeply than is read here: where others wrote it, that
    // is `invalid`.
    base::result<boost::json::value> try_json(std::size_t column) const;
    template<class Id>
    Id id(std::size_t column) const {
        return Id{int64(column)};
    }
    std::optional<std::string> optional_text(std::size_t column) const;
    std::optional<std::int64_t> optional_int64(std::size_t column) const;
    // Of a column of microseconds since 1970.
    base::sys_time time(std::size_t column) const;
    std::optional<base::sys_time> optional_time(std::size_t column) const;

private:
    std::optional<std::string_view> cell(std::size_t column) const;

    std::shared_ptr<cells const> cells_;
    std::size_t first_;
};

using rows = std::vector<row>;

// One row per line of the cells.
rows rows_of(std::shared_ptr<cells const> all, std::size_t count);

} // namespace postrider::storage
