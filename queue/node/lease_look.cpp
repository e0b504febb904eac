#include "queue/node/lease_look.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace postrider::queue {

std::vector<lane_epoch> lease_look::older() const {
    std::vector<lane_epoch> below;
    std::ranges::copy_if(leases_, std::back_inserter(below), [this](lane_epoch epoch) {
        return base::raw(epoch) <= floor_;
    });
    return below;
}

void lease_look::note(look_horizon const& seen, std::vector<lane_epoch> leases) {
    leases_ = std::move(leases);
    if (drawn_ && !awaited_) awaited_ = {*drawn_, seen.transaction};
    if (awaited_ && seen.oldest >= awaited_->transaction) {
        floor_ = awaited_->to;
        awaited_.reset();
    }
    drawn_ = seen.drawn;
}

} // namespace postrider::queue
