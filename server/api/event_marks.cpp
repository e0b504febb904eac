#include "server/api/event_marks.hpp"

#include "base/json/text.hpp"
#include "server/api/database_bounds.hpp"
#include "storage/transact.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <functional>

namespace postrider::api {

namespace json = boost::json;

namespace {

// Each a text that changes with its list, as far as it is counted.
constexpr storage::statement list_marks{"events.marks", R"sql(
select (select concat_ws('/', max(r.epoch), count(*)) from postrider.lane_run r where r.node_id is not null)
           || '/' || (select count(*) from (select from postrider.lane_run r
                                            where r.node_id is null and r.ready_at is not null limit 1000) x),
       (select string_agg(concat_ws(':', n.node_id, n.busy, n.slots, n.beat_at > postrider.now() - interval '8 s'), ',' order by n.node_id)
        from postrider.node n),
       (select concat_ws('/', count(*), min(x.created_at), max(x.created_at))
        from (select a.created_at from postrider.approval a where a.state = 'waiting' order by a.created_at limit 1000) x),
       (select max(a.created_at) from postrider.approval a))sql"};

struct list_state {
    std::string lanes;
    std::string nodes;
    std::string approvals;
};

list_state read_list_state(storage::transaction& tx) {
    auto const rows = tx.query(list_marks);
    auto const& row = rows.at(0);
    auto const text = [&](std::size_t column) { return row.optional_text(column).value_or(""); };
    return {text(0), text(1), text(2) + "/" + text(3)};
}

event_mark mark_of(std::string const& content, json::object const& data) {
    return {fmt::format("{:x}", std::hash<std::string>{}(content)), base::json_text(data)};
}

event_mark figures(json::object const& data) {
    return mark_of(base::json_text(data), data);
}

event_mark changed_list(mark_topic topic, std::string const& content) {
    return mark_of(content, {{"topic", to_string(topic)}});
}

// The time and the oldest wait differ in every reading.
event_mark counts_mark(server::overview const& overview) {
    auto data = server::overview_json(overview);
    auto content = data;
    for (auto const* moving : {"time", "oldest_wait_ms"}) content.erase(moving);
    return mark_of(base::json_text(content), data);
}

event_mark attention_mark(server::attention const& attention) {
    std::int64_t total = 0;
    for (auto const& kind : attention.kinds) total += kind.total;
    return figures({{"total", total}});
}

event_marks marks_of(
    server::overview const& overview, server::attention const& attention, list_state const& lists
) {
    auto const lanes = fmt::format("{}/{}", lists.lanes, overview.paused);
    event_marks marks;
    marks[mark_topic::counts] = counts_mark(overview);
    marks[mark_topic::attention] = attention_mark(attention);
    marks[mark_topic::lanes] = changed_list(mark_topic::lanes, lanes);
    marks[mark_topic::nodes] = changed_list(mark_topic::nodes, lists.nodes);
    marks[mark_topic::approvals] = changed_list(mark_topic::approvals, lists.approvals);
    return marks;
}

base::awaitable<base::result<std::vector<event_marks>>> read_marks(
    storage::database& db, shared_readings& readings, std::size_t queries
) {
    auto const overview = co_await readings.overview.get();
    if (!overview) co_return overview.error();
    auto const attention = co_await readings.attention.get();
    if (!attention) co_return attention.error();
    auto const lists =
        co_await storage::transact(db, "events.marks", read_list_state, database_waits.read);
    if (!lists) co_return lists.error();
    co_return std::vector<event_marks>(queries, marks_of(**overview, **attention, *lists));
}

} // namespace

std::unique_ptr<shared_mark_looks> look_at_marks(
    storage::database& db, shared_readings& readings, base::clock const& clock
) {
    return std::make_unique<shared_mark_looks>(
        clock,
        [&db, &readings](std::vector<mark_query> queries) {
            return read_marks(db, readings, queries.size());
        }
    );
}

std::string event_of_mark(mark_topic topic) {
    bool const has_figures = topic == mark_topic::counts || topic == mark_topic::attention;
    return has_figures ? std::string(to_string(topic)) : "changed";
}

} // namespace postrider::api
