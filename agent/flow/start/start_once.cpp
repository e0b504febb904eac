#include "agent/flow/start/start_once.hpp"

namespace postrider::agent::flow {

namespace {

// An execution whose request came with a key.
class keyed_unit final : public execution_unit {
public:
    keyed_unit(
        storage::request_key key,
        std::shared_ptr<execution_start const> start,
        std::optional<lane_id> known_lane
    )
        : execution_unit(std::move(start), known_lane),
          key_(std::move(key)) {}

    // After the commit: what the key was given to before; nothing when it was free.
    std::optional<storage::answered_key> const& earlier() const noexcept { return earlier_; }

private:
    std::optional<storage::write> gate() override {
        earlier_.reset();
        return storage::claim_key(key_);
    }
    bool admits(storage::rows const& claimed) override { return !claimed.empty(); }

    // Another unit of the same batch may have claimed the key: its answer stands one stage later.
    std::vector<storage::write> decline(std::vector<storage::rows> const& returned) override {
        if (returned.empty()) return {storage::find_key(key_)};
        bool const looked_before = earlier_.has_value();
        if (!returned.front().empty()) earlier_ = storage::read_key(returned.front().front());
        if (earlier_ && earlier_->job) return {};
        if (looked_before || !earlier_)
            throw storage::database_error("a request's key went away meanwhile");
        return {storage::find_key(key_)};
    }

    std::vector<storage::write> follow(queue::enqueued const& job) override {
        return {storage::answer_key(key_, job.id)};
    }

    storage::request_key key_;
    std::optional<storage::answered_key> earlier_;
};

started_execution outcome_of(execution_unit const& committed) {
    if (auto const& job = committed.job()) return {.job = job->id};
    auto const& earlier = *dynamic_cast<keyed_unit const&>(committed).earlier();
    return {.job = *earlier.job, .is_new = false, .other_request = !earlier.same_request};
}

execution_intake::unit_maker maker_for(std::optional<storage::request_key> key) {
    return [key = std::move(key)](auto start, auto lane) -> std::shared_ptr<execution_unit> {
        if (key) return std::make_shared<keyed_unit>(*key, std::move(start), lane);
        return std::make_shared<ungated_unit>(std::move(start), lane);
    };
}

} // namespace

base::awaitable<base::result<started_execution>> start_once(
    execution_intake& executions,
    execution_start start,
    std::optional<storage::request_key> key,
    base::steady_time until
) {
    auto committed = co_await executions.begin(std::move(start), maker_for(std::move(key)), until);
    if (!committed) co_return committed.error();
    co_return outcome_of(**committed);
}

} // namespace postrider::agent::flow
