#include "queue/run/scope.hpp"

namespace postrider::queue {

std::string scope::ask(std::string_view name) {
    auto key = named(name);
    served_ = served_ || inner_.recorded(key);
    return key;
}

base::awaitable<step_value> scope::run(
    std::string name, base::retry_policy policy, step_function work
) {
    return inner_.run(ask(name), policy, std::move(work));
}

base::awaitable<void> scope::parallel(std::vector<branch> branches) {
    return inner_.parallel(std::move(branches));
}

base::awaitable<step_value> scope::try_step(
    std::string name, base::retry_policy policy, step_function work
) {
    return inner_.try_step(ask(name), policy, std::move(work));
}

base::awaitable<step_value> scope::record_value(std::string name, step_value value) {
    return inner_.record_value(ask(name), std::move(value));
}

base::awaitable<base::result<void>> scope::commit(commit_with more) {
    for (auto& intent : more.effects) intent.key = named(intent.key);
    return inner_.commit(std::move(more));
}

base::awaitable<step_value> scope::perform(
    std::string key, base::retry_policy policy, step_function work
) {
    return inner_.perform(named(key), policy, std::move(work));
}

base::awaitable<void> scope::sleep(std::string name, std::chrono::milliseconds length) {
    return inner_.sleep(named(name), length);
}

base::awaitable<void> scope::sleep_until(std::string name, base::sys_time when) {
    return inner_.sleep_until(named(name), when);
}

base::awaitable<step_value> scope::wait_for_event(std::string name, awaited_event what) {
    return inner_.wait_for_event(ask(name), std::move(what));
}

base::awaitable<base::result<void>> scope::admit(
    std::string resource, std::optional<std::chrono::milliseconds> patience
) {
    return inner_.admit(std::move(resource), patience);
}

void scope::on_rollback(std::string name, step_function undo, base::retry_policy policy) {
    inner_.on_rollback(named(name), std::move(undo), policy);
}

bool scope::recorded(std::string const& name) const {
    return inner_.recorded(named(name));
}

} // namespace postrider::queue
