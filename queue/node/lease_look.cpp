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

bool lease_look::note(look_horizon const& horizon, std::vector<lane_epoch> leases) {
    if (last_ && (horizon.drawn < last_->drawn || horizon.transaction <= last_->transaction)) {
        *this = lease_look{};
        return false;
    }
    leases_ = std::move(leases);
    if (last_ && !awaited_) awaited_ = {last_->drawn, horizon.transaction};
    if (awaited_ && horizon.oldest >= awaited_->transaction) {
        floor_ = awaited_->to;
        risen_ = true;
        awaited_.reset();
    }
    last_ = horizon;
    return true;
}

} // namespace postrider::queue
