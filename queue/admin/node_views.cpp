#include "queue/admin/node_views.hpp"

#include <boost/json/array.hpp>

namespace postrider::queue {

namespace {

constexpr storage::statement page_of_nodes{"page_of_nodes", R"sql(
select n.node_id, n.host, n.pid, n.version,
       postrider.iso(n.started_at),
       postrider.iso(n.beat_at),
       n.beat_at > postrider.now() - interval '8 s', n.slots, n.busy,
       (select coalesce(json_agg(b.name order by b.name), '[]')::text
        from postrider.poll_lease l join postrider.bot b using (bot_id) where l.node_id = n.node_id)
from postrider.node n where n.node_id > $1::bigint
order by n.node_id limit $2::bigint)sql"};

} // namespace

std::vector<node_summary> list_nodes(storage::transaction& tx, std::int64_t after, int limit) {
    std::vector<node_summary> nodes;
    for (auto const& row : tx.query(page_of_nodes, {after, limit})) {
        node_summary node;
        node.id = row.int64(0);
        node.host = row.text(1);
        node.pid = row.int64(2);
        node.version = row.text(3);
        node.started_at = row.text(4);
        node.beat_at = row.text(5);
        node.alive = row.boolean(6);
        node.slots = row.int64(7);
        node.busy = row.int64(8);
        auto const bots = row.json(9);
        for (auto const& bot : bots.as_array()) node.polled_bots.emplace_back(bot.as_string());
        nodes.push_back(std::move(node));
    }
    return nodes;
}

} // namespace postrider::queue
