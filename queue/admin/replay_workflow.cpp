#include "queue/admin/replay_workflow.hpp"

#include "queue/run/order_check.hpp"
#include "queue/store/sql.hpp"
#include "queue/store/statements.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>

#include <algorithm>

namespace postrider::queue {

namespace asio = boost::asio;
using std::chrono::microseconds;

// The job's state is read before its steps: a job that is seen to be over has all of them.
std::optional<recording> read_recording(storage::transaction& tx, job_id job) {
    auto const row = tx.query(sql::recorded_job, {job});
    auto details = read_job_details(tx, job);
    if (row.empty() || !details) return std::nullopt;
    return recording{read_job(row.front(), 0), std::move(*details)};
}

std::optional<std::size_t> update_recording(
    storage::transaction& tx, job_id job, std::optional<recording>& cached
) {
    if (cached)
        if (auto const rows = update_job_details(tx, job, cached->details)) return rows;
    cached = read_recording(tx, job);
    if (!cached) return std::nullopt;
    return cached->details.steps.size() + cached->details.effects.size();
}

bool part_of_the_run(step_summary const& step) noexcept {
    return step.key.find('~') == step.key.npos && !step.key.starts_with(undo_prefix);
}

replay_workflow::replay_workflow(asio::any_io_executor executor, recording const& record)
    : record_(record),
      next_turn_(std::move(executor)) {
    for (auto const& step : record_.details.steps)
        if (part_of_the_run(step) && step.outcome != "retry") ends_[step.key] = &step;
}

std::vector<std::string> replay_workflow::unasked() const {
    std::vector<std::string> keys;
    for (auto const& step : record_.details.steps)
        if (ends_.contains(step.key) && ends_.at(step.key) == &step && !asked_.contains(step.key))
            keys.push_back(step.key);
    return keys;
}

step_summary const* replay_workflow::find(std::string const& key) const {
    auto const entry = ends_.find(key);
    return entry == ends_.end() ? nullptr : entry->second;
}

base::awaitable<step_value> replay_workflow::serve(std::string key) {
    auto const* step = find(key);
    if (!step) {
        missing_.push_back(key);
        throw suspended{};
    }
    asked_.insert(key);
    co_await come_to(step->begins + step->took);
    if (step->outcome == "done") co_return step->result;
    co_return failure_of(*step);
}

// A step is served once no branch can still come by one that was recorded before it.
base::awaitable<void> replay_workflow::come_to(microseconds when) {
    turn const own{when, ++turns_};
    waiting_.insert(own);
    leave();
    for (;;) {
        if (busy_ == 0 && *waiting_.begin() == own) break;
        co_await next_turn_.wait();
    }
    waiting_.erase(own);
    ++busy_;
    moment_ = std::max(moment_, when);
}

void replay_workflow::leave() {
    if (--busy_ == 0) next_turn_.notify();
}

base::awaitable<void> replay_workflow::parallel(std::vector<branch> branches) {
    if (branches.empty()) co_return;
    auto executor = co_await asio::this_coro::executor;
    auto left = branches.size();
    busy_ += static_cast<int>(branches.size()) - 1;
    std::vector<decltype(asio::co_spawn(executor, run_branch({}, left), asio::deferred))> running;
    running.reserve(branches.size());
    for (auto& work : branches)
        running.push_back(
            asio::co_spawn(executor, run_branch(std::move(work), left), asio::deferred)
        );
    auto [order, thrown] = co_await asio::experimental::make_parallel_group(std::move(running))
                               .async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
    bool parked = false;
    for (auto const& failure : thrown) {
        try {
            if (failure) std::rethrow_exception(failure);
        } catch (suspended const&) {
            parked = true;
        }
    }
    if (parked) throw suspended{};
}

// The last one to end leaves its place to what comes after all of them.
base::awaitable<void> replay_workflow::run_branch(branch work, std::size_t& left) {
    struct seat {
        replay_workflow& of;
        std::size_t& left;
        ~seat() {
            if (--left > 0) of.leave();
        }
    } const taken{*this, left};
    co_await work();
}

base::awaitable<step_value> replay_workflow::try_step(
    std::string name, base::retry_policy, step_function
) {
    return serve(numbered(name, ++occurrences_[name]));
}

base::awaitable<step_value> replay_workflow::record_value(std::string name, step_value) {
    return serve(numbered(name, ++occurrences_[name]));
}

base::awaitable<step_value> replay_workflow::perform(
    std::string key, base::retry_policy, step_function
) {
    return serve(std::move(key));
}

base::awaitable<step_value> replay_workflow::wait_for_event(std::string name, awaited_event) {
    return serve(numbered(name, ++occurrences_[name]));
}

base::awaitable<base::result<void>> replay_workflow::commit(commit_with) {
    co_return base::result<void>{};
}

base::awaitable<void> replay_workflow::commit_held() {
    co_return;
}

// A sleep is recorded when it begins; it is over when its time is.
base::awaitable<void> replay_workflow::sleep(std::string name, sleep_time) {
    auto const key = numbered(name, ++occurrences_[name]);
    auto const* step = find(key);
    auto const& job = record_.details.job;
    auto ends = step ? step->next.value_or(step->begins) : microseconds::max();
    // The database wrote it down a little later than the run began it: what a job came to its end
    // with was slept through.
    if (step && job.state == to_string(job_state::completed)) ends = std::min(ends, job.age);
    if (step) asked_.insert(key);
    if (ends > job.age) {
        missing_.push_back(key);
        throw suspended{};
    }
    co_await come_to(ends);
}

base::awaitable<base::result<void>> replay_workflow::
    admit(std::string, std::optional<std::chrono::milliseconds>, std::optional<std::chrono::milliseconds>) {
    co_return base::result<void>{};
}

void replay_workflow::on_rollback(std::string, step_function, base::retry_policy) {}

bool replay_workflow::recorded(std::string const& name) const {
    auto const seen = occurrences_.find(name);
    return find(numbered(name, seen == occurrences_.end() ? 1 : seen->second + 1)) != nullptr;
}

bool replay_workflow::planned(std::string const& key) const {
    return std::ranges::any_of(record_.details.effects, [&](auto const& effect) {
        return effect.key == key;
    });
}

// Steps are served in the order of the record.
void replay_workflow::in_any_order(std::vector<std::string>) {}

void replay_workflow::skip_unasked(std::string_view) {}

void replay_workflow::give_up(std::string_view) {}

void replay_workflow::add(storage::write) {}

void replay_workflow::start_over() {
    occurrences_.clear();
}

} // namespace postrider::queue
