#pragma once
// A workflow whose steps and effects stand in a scope of another: "pay" becomes "shop/pay". Parts
// of a job that are written apart, and branches, cannot meet in each other's names then.
#include "queue/workflow.hpp"

#include <functional>

namespace postrider::queue {

class scope final : public workflow {
public:
    // The inner workflow outlives the scope.
    scope(workflow& inner, std::string name) : inner_(inner), prefix_(std::move(name) + '/') {}

    // A step that was asked for here stood in the record already.
    bool served() const noexcept { return served_; }

    queue::job const& job() const override { return inner_.job(); }
    base::awaitable<step_value> run(std::string name, base::retry_policy policy, step_function work)
        override;
    base::awaitable<void> parallel(std::vector<branch> branches) override;
    base::awaitable<step_value> try_step(
        std::string name, base::retry_policy policy, step_function work
    ) override;
    base::awaitable<step_value> record_value(std::string name, step_value value) override;
    base::awaitable<base::result<void>> commit(commit_with more) override;
    base::awaitable<step_value> perform(
        std::string key, base::retry_policy policy, step_function work
    ) override;
    base::awaitable<void> sleep(std::string name, std::chrono::milliseconds length) override;
    base::awaitable<void> sleep_until(std::string name, base::sys_time when) override;
    base::awaitable<step_value> wait_for_event(std::string name, awaited_event what) override;
    base::awaitable<base::result<void>> admit(
        std::string resource, std::optional<std::chrono::milliseconds> patience
    ) override;
    bool open(std::string_view resource) const override { return inner_.open(resource); }
    void on_rollback(std::string name, step_function undo, base::retry_policy policy) override;
    bool recorded(std::string const& name) const override;
    bool planned(std::string const& key) const override { return inner_.planned(named(key)); }
    void forgo(std::string_view name) override { inner_.forgo(named(name)); }
    void add(storage::write row) override { inner_.add(std::move(row)); }
    void start_over() override { inner_.start_over(); }

private:
    std::string named(std::string_view name) const { return prefix_ + std::string(name); }
    std::string ask(std::string_view name);

    workflow& inner_;
    std::string prefix_;
    bool served_ = false;
};

} // namespace postrider::queue
