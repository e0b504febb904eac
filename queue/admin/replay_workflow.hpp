#pragma once
// A job's past, to run its function over again: what its steps recorded is served and nothing is
// done, sent, waited for or written. A step that the record does not have ends the function by
// queue::suspended; within parallel() it ends the branch, and the others go on as far as they can.
//
// Branches meet their steps in the order in which these were recorded, so a reader sees
// things happen in the order in which they did; a record that has grown meanwhile only adds to the
// end of that. On one executor; made for one run of the function.
#include "queue/admin/job_views.hpp"
#include "queue/run/workflow_environment.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace postrider::queue {

// A job and all that its runs recorded, as of one moment.
struct recording {
    queue::job job;
    job_details details;
};
std::optional<recording> read_recording(storage::transaction& tx, job_id job);
// The same record as it is now, of which what was there already is not read again, where the job
// only went on. How many rows of steps and effects were read; nothing: there is no such job.
std::optional<std::size_t> update_recording(
    storage::transaction& tx, job_id job, std::optional<recording>& cached
);

// The tries of a life before the job was restarted, and those that undid others, are not run over
// again.
bool part_of_the_run(step_summary const& step) noexcept;

class replay_workflow final : public workflow_environment {
public:
    // The record outlives it.
    replay_workflow(base::asio::any_io_executor executor, recording const& record);

    // When the function came to where it is: the end of the step that was served last, after the
    // job's creation.
    std::chrono::microseconds moment() const noexcept { return moment_; }
    // Steps that it asked for and the record does not have, in that order.
    std::vector<std::string> const& missing() const noexcept { return missing_; }
    // Steps of the record that it did not ask for, in the order of the record.
    std::vector<std::string> unasked() const;

    queue::job const& job() const override { return record_.job; }
    bool is_read_only() const override { return true; }
    base::awaitable<step_value> try_step(
        std::string name, base::retry_policy policy, step_function work
    ) override;
    void spend(std::string const&, usage const&) override {}
    base::awaitable<step_value> record_value(std::string name, step_value value) override;
    base::awaitable<base::result<void>> commit(commit_with more) override;
    base::awaitable<void> commit_held() override;
    base::awaitable<step_value> perform(
        std::string key, base::retry_policy policy, step_function work
    ) override;
    base::awaitable<void> sleep(std::string name, sleep_time time) override;
    base::awaitable<step_value> wait_for_event(std::string name, awaited_event event) override;
    base::awaitable<void> parallel(std::vector<branch> branches) override;
    base::awaitable<base::result<void>> admit(
        std::string resource,
        std::optional<std::chrono::milliseconds> patience,
        std::optional<std::chrono::milliseconds> longest_use
    ) override;
    void on_rollback(std::string name, step_function undo, base::retry_policy policy) override;
    bool recorded(std::string const& name) const override;
    bool planned(std::string const& key) const override;
    void in_any_order(std::vector<std::string> names) override;
    void skip_unasked(std::string_view prefix) override;
    void give_up(std::string_view prefix) override;
    void add(storage::write row) override;
    void start_over() override;

private:
    // Of branches that wait for their turn: the end of the step each is to be served.
    using turn = std::pair<std::chrono::microseconds, int>;

    step_summary const* find(std::string const& key) const;
    base::awaitable<step_value> serve(std::string key);
    base::awaitable<void> come_to(std::chrono::microseconds when);
    base::awaitable<void> run_branch(branch work, std::size_t& left);
    void leave();

    recording const& record_;
    std::map<std::string, step_summary const*, std::less<>> ends_; // the try that ended each step
    std::map<std::string, int> occurrences_;
    std::set<std::string> asked_;
    std::vector<std::string> missing_;
    std::chrono::microseconds moment_{0};
    int busy_ = 1; // branches that do not wait for their turn
    int turns_ = 0;
    std::set<turn> waiting_;
    base::signal next_turn_;
};

} // namespace postrider::queue
