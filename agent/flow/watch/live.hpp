#pragma once
// Executions as they happen in this process, for those who look on right now. What is told while
// nobody looks is gone; the record has what matters. On the executor's one thread.
#include "agent/flow/watch/events.hpp"
#include "base/waker.hpp"

#include <map>
#include <memory>
#include <vector>

namespace postrider::agent::flow {

// What one watcher has not taken yet. A watcher that is slow loses what is beyond the limit.
class live_queue {
public:
    static constexpr std::size_t most_held = 256;

    explicit live_queue(boost::asio::any_io_executor executor)
        : news_(std::make_shared<base::waker>(std::move(executor))) {}

    // In the order in which it happened. None of it has a number.
    std::vector<event> take() { return std::exchange(held_, {}); }
    // True from when something happened that the record will show, until it is asked for.
    bool take_progress() { return std::exchange(progress_, false); }
    // Suspends until there is news, at most for the limit.
    base::awaitable<void> wait_for(base::duration limit);
    // What the watcher waits with, for others that have news for it.
    std::shared_ptr<base::waker> const& news() const noexcept { return news_; }

    void tell(event event);
    void progress();

private:
    std::vector<event> held_;
    bool progress_ = false;
    std::shared_ptr<base::waker> news_;
};

class live {
public:
    explicit live(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

    // Watches until the queue is let go of.
    std::shared_ptr<live_queue> watch(job_id job);
    // The same with a queue that hears of several; of each once.
    void watch(job_id job, std::shared_ptr<live_queue> const& queue);
    // Watches every execution of the lane that begins from now on, from its first moment.
    void watch_lane(lane_id lane, std::shared_ptr<live_queue> const& queue);
    // What an execution tells the watchers of every moment; costs a look-up when there are none.
    // The hub outlives it.
    std::unique_ptr<observer> of(job_id job, lane_id lane = {});

private:
    class teller;
    friend class teller;

    boost::asio::any_io_executor executor_;
    std::multimap<job_id, std::weak_ptr<live_queue>> watchers_;
    std::multimap<lane_id, std::weak_ptr<live_queue>> lanes_;
};

} // namespace postrider::agent::flow
