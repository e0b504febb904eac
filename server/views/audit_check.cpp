#include "server/views/audit_check.hpp"

#include <fmt/format.h>

#include <charconv>

namespace postrider::server {

namespace {

constexpr int links_of_a_page = 10000;
// Up to 5,000 rows of the audit are read for each.
constexpr int lanes_of_a_page = 50;
constexpr std::string_view ends_prefix = "ends/";

void add(audit_verdict& verdict, storage::audit_check const& page) {
    verdict.links += page.links;
    verdict.keyed += page.keyed;
    verdict.chains += page.chains;
    if (!page.broken) return;
    ++verdict.broken;
    if (verdict.breaks.size() < most_breaks) verdict.breaks.push_back({*page.broken, page.problem});
}

void add(audit_verdict& verdict, storage::audit_tail_check const& page) {
    verdict.lanes += page.lanes;
    verdict.cut += std::ssize(page.cuts);
    for (auto const& cut : page.cuts)
        if (verdict.cuts.size() < most_breaks) verdict.cuts.push_back(cut);
}

} // namespace

std::string to_string(audit_cursor const& cursor) {
    if (!cursor.ends) return to_string(cursor.place);
    return fmt::format("{}{}", ends_prefix, base::raw(*cursor.ends));
}

std::optional<audit_cursor> audit_cursor_from_string(std::string_view text) {
    audit_cursor cursor;
    if (!text.starts_with(ends_prefix)) {
        auto const place = audit_place_from_string(text);
        if (place) cursor.place = *place;
        return place ? std::optional(cursor) : std::nullopt;
    }
    text.remove_prefix(ends_prefix.size());
    std::int64_t lane = 0;
    auto const* const end = text.data() + text.size();
    auto const read = std::from_chars(text.data(), end, lane);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    cursor.ends = lane_id{lane};
    return cursor;
}

std::optional<audit_cursor> check_audit(
    storage::transaction& tx, audit_cursor cursor, audit_verdict& verdict
) {
    if (cursor.ends) {
        auto const page = storage::check_audit_tails(tx, *cursor.ends, lanes_of_a_page);
        add(verdict, page);
        cursor.ends = page.last;
        return page.lanes < lanes_of_a_page ? std::nullopt : std::optional(cursor);
    }
    auto const page = storage::verify_audit(tx, cursor.place, links_of_a_page);
    add(verdict, page);
    cursor.place = page.last;
    if (!page.broken && page.links < links_of_a_page) cursor.ends = storage::before_all_lanes;
    return cursor;
}

} // namespace postrider::server
