#include "queue/node/node_store.hpp"

#include "base/log.hpp"
#include "queue/store/sql.hpp"
#include "queue/store/statements.hpp"
#include "storage/query.hpp"
#include "storage/transact.hpp"

#include <algorithm>

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;
using base::raw;
namespace json = boost::json;

constexpr auto node_patience = 5s;
// More than a node's slots: normally one transaction rescues a node whole.
constexpr int lanes_at_once = 1000;

std::int64_t in_milliseconds(base::duration silence) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(silence).count();
}

std::string row_of(
    node_id me, node_identity const& self, base::duration silence, std::int64_t floor
) {
    return json::serialize(json::object{
        {"node_id", raw(me)},
        {"boot_id", self.boot_id},
        {"pid_space", self.pid_space},
        {"silence_ms", in_milliseconds(silence)},
        {"floor", floor}});
}

std::string row_of(node_id me, lease_look const& look) {
    json::array older;
    for (auto epoch : look.older()) older.push_back(raw(epoch));
    return json::serialize(json::object{
        {"node_id", raw(me)}, {"floor", look.floor()}, {"older", std::move(older)}});
}

// Of the rows of my_leases.
void read_leases(beat_result& result, storage::rows const& leases) {
    for (auto const& lease : leases) {
        result.horizon.transaction = lease.int64(1);
        result.horizon.oldest = lease.int64(2);
        if (lease.null(3)) continue;
        held_lane const held{lease.id<lane_id>(3), lease.id<lane_epoch>(4)};
        result.lanes.emplace_back(held, lease.boolean(5));
    }
}

// A row of find_nodes.
bool has_died(storage::row const& node) {
    bool const silent = node.boolean(4);
    return silent || !process_lives(static_cast<int>(node.int64(2)), node.int64(3));
}

std::string id_array(std::vector<node_id> const& nodes) {
    std::string text = "{";
    for (auto node : nodes) text += (text.size() > 1 ? "," : "") + base::to_string(node);
    return text + "}";
}

} // namespace

base::awaitable<base::result<node_id>> node_store::join(node_identity const& identity, int slots) {
    json::object row{
        {"pid", identity.pid},
        {"pid_started", identity.pid_started},
        {"boot_id", identity.boot_id},
        {"pid_space", identity.pid_space},
        {"host", identity.host},
        {"version", identity.version},
        {"slots", slots},
    };
    storage::write joining{&sql::join_node, json::serialize(row)};
    auto joined = co_await query(beats_, std::move(joining), node_patience);
    if (!joined) co_return joined.error();
    co_return joined->at(0).id<node_id>(1);
}

base::awaitable<base::result<beat_result>> node_store::beat(
    node_id me,
    node_identity const& self,
    int busy,
    base::duration silence,
    lease_look const& look,
    bool everywhere,
    std::vector<storage::write> reads
) {
    auto row = json::serialize(json::object{{"node_id", raw(me)}, {"busy", busy}});
    auto const floor = everywhere ? 0 : look.floor_of_others();
    std::vector<storage::write> writes{
        {&sql::beat_node, std::move(row)},
        {&sql::my_leases, row_of(me, look)},
        {&sql::nodes_to_look_at, row_of(me, self, silence, floor)}};
    auto const own = writes.size();
    writes.insert(writes.end(), reads.begin(), reads.end());
    auto returned = co_await query(beats_, std::move(writes), node_patience);
    if (!returned) co_return returned.error();
    beat_result result;
    result.known = !returned->at(0).empty();
    if (result.known) result.horizon.drawn = returned->at(0).front().int64(1);
    read_leases(result, returned->at(1));
    result.others_died = std::ranges::any_of(returned->at(2), has_died);
    for (auto n = own; n < returned->size(); ++n) result.reads.push_back(std::move((*returned)[n]));
    co_return result;
}

namespace {

// Frees what these nodes lease and nobody else has locked, and forgets those that lease nothing.
rescue_result take_lanes(
    storage::transaction& tx, std::vector<node_id> const& nodes, int lost_budget, bool died
) {
    std::string lanes = "{";
    for (auto const& row : tx.query(sql::lock_dead_lanes, {id_array(nodes), lanes_at_once}))
        lanes += (lanes.size() > 1 ? "," : "") + row.text(0);
    lanes += "}";
    auto const counts = tx.query(sql::rescue_lanes, {lanes, lost_budget, died ? 1 : 0}).at(0);
    tx.query(sql::forget_nodes, {id_array(nodes)});
    return {
        .nodes = static_cast<std::int64_t>(nodes.size()),
        .lanes = counts.int64(0),
        .spent = counts.int64(1),
        .suspects = counts.int64(2)};
}

} // namespace

base::awaitable<base::result<rescue_result>> node_store::rescue(
    node_id me, node_identity const& identity, base::duration silence, int lost_budget
) {
    auto const question = "[" + row_of(me, identity, silence, 0) + "]";
    auto work = [=](storage::transaction& tx) {
        std::vector<node_id> dead;
        std::vector<node_id> registered;
        std::vector<node_id> dead_nodes; // of those, the ones whose process is gone
        for (auto const& node : tx.query(sql::nodes_to_look_at, {question})) {
            if (!has_died(node)) continue;
            auto const id = node.id<node_id>(1);
            (node.int64(2) == 0 ? dead : registered).push_back(id);
            if (!node.boolean(4)) dead_nodes.push_back(id);
        }
        if (dead.empty() && registered.empty()) return rescue_result{};
        std::vector<storage::param> const parameters{
            id_array(registered), id_array(dead_nodes), in_milliseconds(silence)};
        for (auto const& row : tx.query(sql::lock_dead_nodes, parameters))
            dead.push_back(row.id<node_id>(0));
        if (dead.empty()) return rescue_result{};
        return take_lanes(tx, dead, lost_budget, true);
    };
    co_return co_await storage::transact(db_, "rescue", std::move(work), node_patience);
}

base::awaitable<base::result<void>> node_store::clear_suspects(std::vector<lane_id> const& lanes) {
    json::array ids;
    for (auto lane : lanes) ids.push_back(raw(lane));
    auto row = json::serialize(json::object{{"lanes", std::move(ids)}});
    storage::write clearing{&sql::clear_suspects, std::move(row)};
    auto done = co_await query(beats_, std::move(clearing), node_patience);
    if (!done) co_return done.error();
    co_return base::result<void>{};
}

base::awaitable<base::result<void>> node_store::release(node_id me, held_lane held) {
    auto work = [=](storage::transaction& tx) {
        if (tx.query(sql::lock_lane, {held.lane, me, held.epoch}).empty()) return;
        tx.query(sql::rescue_lanes, {"{" + base::to_string(held.lane) + "}", 0, 0});
    };
    co_return co_await db_.run("release", work, node_patience);
}

// Twice: a lease that is committed between the first one's last look and its end was seen by other
// nodes while this one's row was still there, and they do not look for it again. A lease that comes
// after the second was not seen before the row was gone: they find it.
base::awaitable<base::result<void>> node_store::leave(node_id me) {
    auto const work = [=](storage::transaction& tx) { take_lanes(tx, {me}, 0, false); };
    auto left = co_await db_.run("leave", work, node_patience);
    if (!left) co_return left.error();
    co_return co_await db_.run("leave", work, node_patience);
}

} // namespace postrider::queue
