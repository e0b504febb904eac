#include "queue/node/pause_sweeps.hpp"

#include "queue/store/statements.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;

// Lanes of one transaction.
constexpr int most = 500;
// Longer than a transaction stays open that began before the change, or holds a lane's lock.
constexpr auto unsettled_for = 15s;
constexpr auto between_sweeps_then = 3s;
constexpr auto between_sweeps = 1min;

} // namespace

void pause_sweeps::follow(poll& reads) {
    reads_ = &reads;
    reads.add_changing(
        sql::sweep_pauses,
        [this] { return question(); },
        [this](storage::rows const& swept) { note(swept.at(0)); }
    );
}

std::string pause_sweeps::question() {
    auto const now = clock_.steady();
    bool const unsettled = now < changed_at_ + unsettled_for;
    auto const due = swept_at_ + (unsettled ? between_sweeps_then : between_sweeps);
    sweeping_ = unfinished_ || now >= due;
    boost::json::object row{{"most", most}, {"known", nullptr}};
    if (!sweeping_) row["known"] = pauses_;
    return boost::json::serialize(row);
}

void pause_sweeps::note(storage::row const& swept) {
    auto const now = clock_.steady();
    auto const pauses = swept.text(2);
    if (pauses != pauses_) {
        pauses_ = pauses;
        changed_at_ = now;
        sweeping_ = true; // it differed from what was known
    }
    if (sweeping_) swept_at_ = now;
    unfinished_ = swept.int64(1) >= most;
    if (unfinished_) reads_->now();
}

} // namespace postrider::queue
