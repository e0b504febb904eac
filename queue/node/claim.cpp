#include "queue/node/claim.hpp"

#include "base/json/row.hpp"
#include "queue/store/sql.hpp"
#include "queue/store/statements.hpp"

namespace postrider::queue {

namespace {

claimed_lane read_lane(storage::row const& row) {
    claimed_lane lane;
    lane.lease.lane = row.id<lane_id>(2);
    lane.lease.epoch = row.id<lane_epoch>(3);
    lane.lease.edits = row.int64(4);
    lane.lease.mailbox = mailbox_from_string(row.text(5)).value_or(mailbox::queue);
    lane.lease.arrivals = row.int64(6);
    if (auto asked = row.optional_text(7)) lane.asked = control_request_from_string(*asked);
    lane.head = lane.lease.head = row.id<job_id>(8);
    lane.suspect = static_cast<int>(row.int64(9));
    if (!row.null(10)) lane.job = read_job(row, 10);
    return lane;
}

class claim_unit final : public storage::unit {
public:
    explicit claim_unit(claim_request request) : request_(request) {}

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned)
        override {
        if (number == 0) return find();
        if (number == 1) return take(returned.front());
        // Every row of the claim belongs to this unit, and all stand at the first of its writes.
        for (auto const& row : returned.front()) {
            result.passed_over = static_cast<int>(row.int64(1));
            if (!row.null(2)) result.lanes.push_back(read_lane(row));
        }
        return {};
    }
    bool is_last(int number) const override { return number == 1; }
    bool apart() const override { return true; }

    claim_result result;

private:
    std::vector<storage::write> find() {
        result = {};
        base::json_row row{
            {"node_id", base::raw(request_.node)},
            {"slots", request_.slots},
            {"margin", request_.margin},
            {"suspects", request_.with_suspect ? 1 : 0},
            {"min_node_age_ms", request_.min_node_age.count()},
            {"others_ms", request_.others_first.count()}};
        if (request_.since) row.add({"since", request_.since->count()});
        return {{&sql::find_ready, std::move(row).text()}};
    }

    std::vector<storage::write> take(storage::rows const& ready) {
        std::vector<storage::write> lanes;
        for (auto const& lane : ready) {
            if (auto soon = lane.optional_int64(1))
                result.next_in = std::chrono::milliseconds{*soon};
            result.first = std::chrono::microseconds{lane.int64(2)};
            result.took = std::chrono::microseconds{lane.int64(3)};
            if (lane.null(4)) continue;
            base::json_row row{
                {"node_id", base::raw(request_.node)},
                {"slots", request_.slots},
                {"lane_id", lane.int64(4)},
                {"epoch", lane.int64(5)},
                {"head", lane.int64(6)},
                {"place", lane.int64(7)}};
            auto const jobs = storage::job_range::since(lane.id<job_id>(6));
            lanes.push_back({&sql::claim, std::move(row).text(), jobs});
        }
        return lanes;
    }

    claim_request request_;
};

} // namespace

base::awaitable<base::result<claim_result>> claim_lanes(
    storage::batcher& quick, claim_request request, base::duration deadline
) {
    auto unit = std::make_shared<claim_unit>(request);
    auto done = co_await quick.commit(unit, deadline);
    if (!done) co_return done.error();
    co_return std::move(unit->result);
}

} // namespace postrider::queue
