#include "storage/stores/strangers.hpp"

#include "base/json/row.hpp"

#include <charconv>
#include <optional>

namespace postrider::storage {

namespace {

constexpr statement count_strangers{
    "count_strangers",
    R"(
insert into postrider.stranger (bot_id, user_id, chat_id, refused, name)
select bot_id, user_id, chat_id, count(*), max(name)
from json_to_recordset($1::json) as t(bot_id bigint, user_id bigint, chat_id bigint, name text)
group by bot_id, user_id, chat_id
order by bot_id, user_id, chat_id
on conflict (bot_id, user_id, chat_id) do update
set refused = stranger.refused + excluded.refused, last_seen_at = postrider.now(), name = excluded.name
)",
    12};

// Must agree with stranger_limit. The number of rows per bot is bounded, and so is the sort.
constexpr statement forget_strangers{
    "forget_strangers",
    R"(
delete from postrider.stranger s
using (select bot_id, user_id, chat_id,
              row_number() over (partition by bot_id order by last_seen_at desc, user_id, chat_id) as place
       from postrider.stranger
       where bot_id in (select bot_id from json_to_recordset($1::json) as t(bot_id bigint))) old
where old.place > 1000 and s.bot_id = old.bot_id and s.user_id = old.user_id and s.chat_id = old.chat_id
)",
    13};
static_assert(stranger_limit == 1000);

// At most stranger_limit rows per bot are sorted.
constexpr statement newest_strangers{"newest_strangers", R"(
select coalesce(b.name, s.bot_id::text), s.user_id, s.chat_id, coalesce(s.name, ''), s.refused,
       to_char(s.first_seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
       to_char(s.last_seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
       (extract(epoch from s.last_seen_at) * 1000000)::bigint || '.' || s.bot_id || '.' || s.user_id || '.' || s.chat_id
from postrider.stranger s left join postrider.bot b using (bot_id)
where ($1::text = '' or b.name = $1)
  and ($2::bigint[] is null or
       array[(extract(epoch from s.last_seen_at) * 1000000)::bigint, s.bot_id, s.user_id, s.chat_id] < $2::bigint[])
order by s.last_seen_at desc, s.bot_id desc, s.user_id desc, s.chat_id desc limit $3::bigint)"};

// "1764291600000000.1.923847.-100123", as the statement above makes it.
std::optional<std::string> place_in(std::string_view cursor) {
    std::string array = "{";
    int numbers = 0;
    for (auto rest = cursor; ++numbers <= 4;) {
        auto const part = rest.substr(0, rest.find('.'));
        std::int64_t number = 0;
        auto const [end, ec] = std::from_chars(part.data(), part.data() + part.size(), number);
        if (ec != std::errc{} || end != part.data() + part.size()) return std::nullopt;
        array += (numbers > 1 ? "," : "") + std::to_string(number);
        bool const is_last = part.size() == rest.size();
        if (is_last != (numbers == 4)) return std::nullopt;
        if (is_last) break;
        rest.remove_prefix(part.size() + 1);
    }
    return array + "}";
}

} // namespace

std::vector<write> count_stranger(stranger const& person) {
    base::json_row row{
        {"bot_id", base::raw(person.bot)},
        {"user_id", base::raw(person.user)},
        {"chat_id", base::raw(person.chat)},
        {"name", person.name},
    };
    base::json_row bot{{"bot_id", base::raw(person.bot)}};
    return {
        {&count_strangers, std::move(row).text()},
        {&forget_strangers, std::move(bot).text()},
    };
}

bool is_stranger_cursor(std::string_view text) {
    return place_in(text).has_value();
}

stranger_page list_strangers(
    transaction& tx, std::string const& bot, std::string const& cursor, int limit
) {
    stranger_page page;
    auto const place = place_in(cursor);
    auto const below = place ? param(*place) : param(std::nullopt);
    for (auto const& r : tx.query(newest_strangers, {bot, below, limit})) {
        page.strangers.push_back(
            {r.text(0),
             r.id<user_id>(1),
             r.id<chat_id>(2),
             r.text(3),
             r.int64(4),
             r.text(5),
             r.text(6)}
        );
        page.next = r.text(7);
    }
    if (std::ssize(page.strangers) < limit) page.next.clear();
    return page;
}

} // namespace postrider::storage
