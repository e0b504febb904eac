#include "storage/stores/erasure.hpp"

#include "base/json/json.hpp"
#include "base/names.hpp"

#include <boost/json/object.hpp>

#include <algorithm>
#include <stdexcept>

namespace postrider::storage {

namespace {

#define POSTRIDER_ERASE(function)                                                                  \
    "select e.goes_on::text, e.cleared::text from postrider." function                             \
    "($1::bigint, $2::jsonb, $3::int) e"

constexpr statement erase_jobs{"erase_jobs", POSTRIDER_ERASE("erase_jobs")};
constexpr statement erase_messages{"erase_messages", POSTRIDER_ERASE("erase_messages")};
constexpr statement erase_sessions{"erase_sessions", POSTRIDER_ERASE("erase_sessions")};
constexpr statement erase_audit{"erase_audit", POSTRIDER_ERASE("erase_audit")};
constexpr statement erase_rows{"erase_rows", POSTRIDER_ERASE("erase_rows")};

#undef POSTRIDER_ERASE

constexpr base::names<erasure_place, 5> place_names{{
    {erasure_place::jobs, "jobs"},
    {erasure_place::messages, "messages"},
    {erasure_place::sessions, "sessions"},
    {erasure_place::audit, "audit"},
    {erasure_place::others, "others"},
}};

statement const& statement_of(erasure_place place) {
    switch (place) {
    case erasure_place::jobs:
        return erase_jobs;
    case erasure_place::messages:
        return erase_messages;
    case erasure_place::sessions:
        return erase_sessions;
    case erasure_place::audit:
        return erase_audit;
    case erasure_place::others:
        return erase_rows;
    }
    throw std::logic_error("no such place");
}

} // namespace

std::string to_string(erasure_cursor const& cursor) {
    std::string text(base::name_of(place_names, cursor.place));
    return cursor.after ? text + ':' + *cursor.after : text;
}

std::optional<erasure_cursor> erasure_cursor_from_string(std::string_view text) {
    auto const name = text.substr(0, text.find(':'));
    auto const place = base::named(place_names, name);
    if (!place) return std::nullopt;
    erasure_cursor cursor{*place};
    if (name.size() == text.size()) return cursor;
    cursor.after = text.substr(name.size() + 1);
    auto const after = base::parse_json(*cursor.after);
    return after && after->is_array() ? std::optional(cursor) : std::nullopt;
}

std::optional<erasure_cursor> cursor_behind(erasure_cursor const& at, erasure_page const& page) {
    if (page.goes_on) return erasure_cursor{at.place, page.goes_on};
    auto const* const next = std::ranges::find(erasure_places, at.place) + 1;
    return next == erasure_places.end() ? std::nullopt : std::optional(erasure_cursor{*next});
}

erasure_page erase(
    transaction& tx,
    erasure_place place,
    user_id person,
    std::optional<std::string> const& after,
    int most
) {
    auto const cursor = after ? param(*after) : param(std::nullopt);
    auto const found = tx.query(statement_of(place), {person, cursor, most});
    auto const& row = found.at(0);
    erasure_page page;
    page.goes_on = row.optional_text(0);
    auto const cleared = row.json(1);
    for (auto const& member : cleared.as_object())
        if (member.key() == "outside")
            page.outside = member.value().as_array();
        else
            page.cleared[std::string(member.key())] = member.value().to_number<std::int64_t>();
    return page;
}

} // namespace postrider::storage
