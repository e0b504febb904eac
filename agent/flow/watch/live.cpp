#include "agent/flow/watch/live.hpp"

#include <algorithm>

namespace postrider::agent::flow {

base::awaitable<void> live_queue::wait_for(base::duration limit) {
    if (held_.empty() && !progress_) co_await news_->wait_for(limit);
}

void live_queue::tell(event event) {
    if (held_.size() < most_held) held_.push_back(std::move(event));
    news_->wake();
}

void live_queue::progress() {
    progress_ = true;
    news_->wake();
}

class live::teller final : public observer {
public:
    teller(live& hub, job_id job) : hub_(hub), job_(job) {}

    void began() override { progress(); }
    void node_started(node const& node, items const& input) override {
        tell([&] { return flow::node_started(node, input.size()); });
    }
    void connection_used(connection const&, std::size_t) override { progress(); }
    void node_finished(node const&, outputs const&, base::error const*, boost::json::object const&)
        override {
        progress();
    }
    bool is_watched() const override { return hub_.watchers_.contains(job_); }
    void node_reported(node const& node, std::string_view type, boost::json::object detail)
        override {
        if (type == model_silent) return;
        tell([&] { return told_by(node, type, detail); });
    }

private:
    template<class Make>
    void tell(Make make) {
        for_each_watcher([&](live_queue& queue) { queue.tell(make()); });
    }
    void progress() {
        for_each_watcher([](live_queue& queue) { queue.progress(); });
    }

    template<class Call>
    void for_each_watcher(Call call) {
        auto [from, end] = hub_.watchers_.equal_range(job_);
        while (from != end) {
            auto to = from->second.lock();
            if (to) call(*to);
            from = to ? std::next(from) : hub_.watchers_.erase(from);
        }
    }

    live& hub_;
    job_id job_;
};

std::shared_ptr<live_queue> live::watch(job_id job) {
    auto queue = std::make_shared<live_queue>(executor_);
    watch(job, queue);
    return queue;
}

void live::watch(job_id job, std::shared_ptr<live_queue> const& queue) {
    std::erase_if(watchers_, [](auto const& entry) { return entry.second.expired(); });
    auto const [from, end] = watchers_.equal_range(job);
    bool const watches =
        std::any_of(from, end, [&](auto const& entry) { return entry.second.lock() == queue; });
    if (!watches) watchers_.emplace(job, queue);
}

void live::watch_lane(lane_id lane, std::shared_ptr<live_queue> const& queue) {
    std::erase_if(lanes_, [](auto const& entry) { return entry.second.expired(); });
    lanes_.emplace(lane, queue);
}

std::unique_ptr<observer> live::of(job_id job, lane_id lane) {
    for (auto [from, end] = lanes_.equal_range(lane); from != end; ++from)
        if (auto const queue = from->second.lock()) watch(job, queue);
    return std::make_unique<teller>(*this, job);
}

} // namespace postrider::agent::flow
