#include "agent/flow/start/start_once.hpp"

namespace postrider::agent::flow {

namespace {

using storage::rows;
using storage::write;

class conditional_unit final : public execution_unit {
public:
    conditional_unit(
        start_conditions conditions,
        std::shared_ptr<execution_start const> start,
        std::optional<lane_id> known_lane
    )
        : execution_unit(std::move(start), known_lane),
          conditions_(std::move(conditions)) {}

    // After the commit of a unit without a job: what kept it out. One of them is there.
    std::optional<storage::answered_key> const& earlier() const noexcept { return earlier_; }
    std::optional<storage::message_count> const& beyond() const noexcept { return beyond_; }

private:
    // The claim, the count, the job, the answer: no unit takes more stages than these.
    static constexpr int most_looks = 4;

    std::optional<write> gate() override {
        earlier_.reset();
        beyond_.reset();
        looks_ = 0;
        counting_ = false;
        if (!conditions_.key) return std::nullopt;
        return storage::claim_key(*conditions_.key);
    }
    bool admits(rows const& claimed) override { return !claimed.empty(); }

    std::vector<write> meter() override {
        if (!conditions_.quota) return {};
        return {storage::count_message(conditions_.quota->user)};
    }
    bool passes(std::vector<rows> const& counted) override {
        auto const count = storage::read_message_count(counted.at(0).at(0));
        if (count.place > conditions_.quota->most) beyond_ = count;
        return !beyond_;
    }

    std::vector<write> decline(std::vector<rows> const& returned) override {
        if (!beyond_) return look_for_earlier(returned);
        if (!returned.empty() || !conditions_.key) return {};
        return {storage::release_key(*conditions_.key)};
    }

    // Another unit of the same batch may have claimed the key: its answer stands some stages later, or
    // the key is gone since that unit was beyond its quota. So is this one then.
    std::vector<write> look_for_earlier(std::vector<rows> const& returned) {
        if (returned.empty()) return look();
        if (counting_) {
            if (passes(returned)) throw key_went_away();
            return {};
        }
        auto const& earlier = returned.front();
        if (earlier.empty() && conditions_.quota) {
            counting_ = true;
            return meter();
        }
        if (earlier.empty()) throw key_went_away();
        earlier_ = storage::read_key(earlier.front());
        return earlier_->job ? std::vector<write>{} : look();
    }

    std::vector<write> look() {
        if (looks_++ == most_looks) throw key_went_away();
        return {storage::find_key(*conditions_.key)};
    }

    static storage::database_error key_went_away() {
        return storage::database_error("a request's key went away meanwhile");
    }

    std::vector<write> follow(queue::enqueued const& job) override {
        if (!conditions_.key) return {};
        return {storage::answer_key(*conditions_.key, job.id)};
    }

    start_conditions conditions_;
    int looks_ = 0;
    bool counting_ = false;
    std::optional<storage::answered_key> earlier_;
    std::optional<storage::message_count> beyond_;
};

started_execution outcome_of(execution_unit const& committed) {
    if (auto const& job = committed.job()) return {.job = job->id};
    auto const& kept_out = dynamic_cast<conditional_unit const&>(committed);
    if (kept_out.beyond()) return {.is_new = false, .beyond = kept_out.beyond()};
    auto const& earlier = *kept_out.earlier();
    return {.job = *earlier.job, .is_new = false, .other_request = !earlier.same_request};
}

execution_intake::unit_maker maker_for(start_conditions conditions) {
    return [conditions =
                std::move(conditions)](auto start, auto lane) -> std::shared_ptr<execution_unit> {
        if (!conditions.key && !conditions.quota)
            return std::make_shared<ungated_unit>(std::move(start), lane);
        return std::make_shared<conditional_unit>(conditions, std::move(start), lane);
    };
}

} // namespace

base::awaitable<base::result<started_execution>> start_once(
    execution_intake& executions,
    execution_start start,
    start_conditions conditions,
    base::steady_time until
) {
    auto maker = maker_for(std::move(conditions));
    auto committed = co_await executions.begin(std::move(start), std::move(maker), until);
    if (!committed) co_return committed.error();
    co_return outcome_of(**committed);
}

} // namespace postrider::agent::flow
