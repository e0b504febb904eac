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
    if (awaited_ && seen.oldest >= awaited_->next) {
        floor_ = awaited_->drawn;
        awaited_.reset();
    }
    if (!awaited_) awaited_ = seen;
}

} // namespace postrider::queue
