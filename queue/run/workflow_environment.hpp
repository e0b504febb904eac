#pragma once
// What a run offers to its function, below the handle that the function sees. A member does what the
// member of queue::workflow with the same name says, and takes the full names of steps and effects.
// A run on a node carries them out (job_run), a replay serves them from the record
// (replay_workflow).
#include "queue/workflow.hpp"

#include <variant>

namespace postrider::queue {

// From now on, or until then.
using sleep_time = std::variant<std::chrono::milliseconds, base::sys_time>;

class workflow_environment {
public:
    virtual ~workflow_environment() = default;

    virtual queue::job const& job() const = 0;
    virtual bool is_read_only() const { return false; }

    virtual base::awaitable<step_value> try_step(
        std::string name, base::retry_policy policy, step_function work
    ) = 0;
    virtual void spend(std::string const& name, usage const& used) = 0;
    virtual base::awaitable<step_value> record_value(std::string name, step_value value) = 0;
    virtual base::awaitable<base::result<void>> commit(commit_with more) = 0;
    // A commit of the results that are held; none where none are.
    virtual base::awaitable<void> commit_held() = 0;
    virtual base::awaitable<step_value> perform(
        std::string key, base::retry_policy policy, step_function work
    ) = 0;
    virtual base::awaitable<void> sleep(std::string name, sleep_time time) = 0;
    virtual base::awaitable<step_value> wait_for_event(std::string name, awaited_event event) = 0;
    virtual base::awaitable<void> parallel(std::vector<branch> branches) = 0;

    virtual base::awaitable<base::result<void>> admit(
        std::string resource,
        std::optional<std::chrono::milliseconds> patience,
        std::optional<std::chrono::milliseconds> longest_use
    ) = 0;

    virtual void on_rollback(std::string name, step_function undo, base::retry_policy policy) = 0;
    virtual void add(storage::write row) = 0;
    virtual bool recorded(std::string const& name) const = 0;
    virtual bool planned(std::string const& key) const = 0;
    virtual void in_any_order(std::vector<std::string> names) = 0;
    // "" is everything.
    virtual void skip_unasked(std::string_view prefix) = 0;
    virtual void give_up(std::string_view prefix) = 0;
    virtual void start_over() = 0;
};

} // namespace postrider::queue
