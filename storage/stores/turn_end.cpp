#include "storage/stores/turn_end.hpp"

#include "base/json/row.hpp"

namespace postrider::storage {

namespace {

constexpr statement end_turns{
    "end_turns",
    R"(
select t.i, e.ended, e.others
from json_to_recordset($1::json) as t(i int, lane_id bigint, place jsonb, user_id bigint, is_owner boolean, said text)
cross join lateral postrider.turn_end(t.lane_id, t.place, t.user_id, t.is_owner, t.said) e
order by t.lane_id
)",
    29};

} // namespace

write end_turn(turn_end const& row) {
    boost::json::value const place(row.place);
    base::json_row json{
        {"lane_id", base::raw(row.lane)},
        {"place", place},
        {"user_id", base::raw(row.user)},
        {"is_owner", row.is_owner},
    };
    if (!row.said.empty()) json.add({"said", row.said});
    return {&end_turns, std::move(json).text()};
}

stopped_turn read_stopped_turn(row const& returned) {
    stopped_turn ended;
    if (auto const job = returned.optional_int64(1)) ended.job = job_id{*job};
    ended.others = returned.boolean(2);
    return ended;
}

} // namespace postrider::storage
