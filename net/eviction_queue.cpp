#include "net/eviction_queue.hpp"

namespace postrider::net {

eviction_queue::entry::entry(eviction_queue& queue, std::function<void()> evict)
    : queue_(queue),
      evict_(std::move(evict)) {}

void eviction_queue::entry::wait() {
    if (exempt_) return;
    unlink();
    bool const first = queue_.empty();
    queue_.entries_.push_back(*this);
    if (first && queue_.on_first_) queue_.on_first_();
}

void eviction_queue::entry::exempt() noexcept {
    exempt_ = true;
    unlink();
}

bool eviction_queue::evict_first() {
    if (empty()) return false;
    auto& first = entries_.front();
    first.leave();
    first.evict_();
    return true;
}

} // namespace postrider::net
