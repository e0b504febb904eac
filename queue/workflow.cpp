#include "queue/workflow.hpp"

#include "base/names.hpp"
#include "queue/run/workflow_environment.hpp"

#include <algorithm>

namespace postrider::queue {

namespace {

constexpr base::names<effect_class, 6> classes{{
    {effect_class::pure, "pure"},
    {effect_class::idempotent, "idempotent"},
    {effect_class::keyed, "keyed"},
    {effect_class::at_least_once, "at_least_once"},
    {effect_class::at_most_once, "at_most_once"},
    {effect_class::ask, "ask"},
}};

base::awaitable<step_value> run_step(
    workflow_environment& environment,
    std::string name,
    base::retry_policy policy,
    step_function work
) {
    auto value = co_await environment.try_step(std::move(name), policy, std::move(work));
    co_await environment.commit_held();
    co_return value;
}

// A sleep is recorded when it begins.
base::awaitable<void> pass_over_sleep(workflow_environment& environment, std::string name) {
    (void)co_await environment.record_value(std::move(name), nullptr);
}

base::awaitable<base::result<void>> commit_nothing() {
    co_return base::result<void>{};
}

} // namespace

std::string_view to_string(effect_class c) noexcept {
    return base::name_of(classes, c);
}

bool may_repeat(effect_class c) noexcept {
    return c != effect_class::at_most_once && c != effect_class::ask;
}

std::optional<effect_class> effect_class_from_string(std::string_view name) noexcept {
    return base::named(classes, name);
}

workflow workflow::scope(std::string_view name) const {
    workflow inner(*environment_);
    inner.prefix_ = named(name) + '/';
    inner.over_ = over_;
    inner.read_only_ = read_only_;
    return inner;
}

workflow workflow::unless(std::shared_ptr<bool const> over) const {
    auto handle = *this;
    handle.over_.push_back(std::move(over));
    return handle;
}

workflow workflow::read_only() const {
    auto handle = *this;
    handle.read_only_ = true;
    return handle;
}

bool workflow::is_over() const {
    return read_only_ || std::ranges::any_of(over_, [](auto const& over) { return *over; });
}

std::string workflow::ask(std::string_view name) {
    auto full = named(name);
    bool const is_recorded = environment_->recorded(full);
    served_ = served_ || is_recorded;
    if (!is_recorded && is_over()) throw suspended{};
    return full;
}

queue::job const& workflow::job() const {
    return environment_->job();
}

base::awaitable<step_value> workflow::run(
    std::string_view name, base::retry_policy policy, step_function work
) {
    return run_step(*environment_, ask(name), policy, std::move(work));
}

base::awaitable<void> workflow::parallel(std::vector<branch> branches) {
    return environment_->parallel(std::move(branches));
}

void workflow::in_any_order(std::vector<std::string> names) {
    for (auto& name : names) name = named(name);
    environment_->in_any_order(std::move(names));
}

base::awaitable<step_value> workflow::try_step(
    std::string_view name, base::retry_policy policy, step_function work
) {
    return environment_->try_step(ask(name), policy, std::move(work));
}

base::awaitable<step_value> workflow::record_value(std::string_view name, step_value value) {
    return environment_->record_value(ask(name), std::move(value));
}

base::awaitable<base::result<void>> workflow::commit(commit_with more) {
    if (!more.effects.empty() && is_over()) throw suspended{};
    if (read_only_) return commit_nothing();
    for (auto& intent : more.effects) intent.key = named(intent.key);
    return environment_->commit(std::move(more));
}

base::awaitable<step_value> workflow::perform(
    std::string_view key, base::retry_policy policy, step_function work
) {
    auto full = named(key);
    if (is_over() && !environment_->recorded(full)) throw suspended{};
    return environment_->perform(std::move(full), policy, std::move(work));
}

void workflow::spend(std::string_view name, usage const& used) {
    environment_->spend(named(name), used);
}

base::awaitable<void> workflow::sleep(std::string_view name, std::chrono::milliseconds length) {
    if (is_over()) return pass_over_sleep(*environment_, ask(name));
    return environment_->sleep(named(name), length);
}

base::awaitable<void> workflow::sleep_until(std::string_view name, base::sys_time end) {
    if (is_over()) return pass_over_sleep(*environment_, ask(name));
    return environment_->sleep(named(name), end);
}

base::awaitable<step_value> workflow::wait_for_event(std::string_view name, awaited_event event) {
    return environment_->wait_for_event(ask(name), std::move(event));
}

base::awaitable<base::result<void>> workflow::admit(
    std::string resource,
    std::optional<std::chrono::milliseconds> patience,
    std::optional<std::chrono::milliseconds> longest_use
) {
    if (is_over() && !resource.empty()) throw suspended{};
    return environment_->admit(std::move(resource), patience, longest_use);
}

void workflow::on_rollback(std::string_view name, step_function undo, base::retry_policy policy) {
    environment_->on_rollback(named(name), std::move(undo), policy);
}

bool workflow::is_read_only() const {
    return read_only_ || environment_->is_read_only();
}

bool workflow::recorded(std::string_view name) const {
    return environment_->recorded(named(name));
}

bool workflow::planned(std::string_view key) const {
    return environment_->planned(named(key));
}

void workflow::skip_unasked() {
    environment_->skip_unasked(prefix_);
}

void workflow::give_up() {
    environment_->give_up(prefix_);
}

void workflow::add(storage::write row) {
    if (!read_only_) environment_->add(std::move(row));
}

void workflow::start_over() {
    environment_->start_over();
}

outcome outcome::completed(boost::json::value output) {
    outcome ended;
    ended.output = std::move(output);
    return ended;
}

outcome outcome::failed(base::error reason) {
    outcome ended;
    ended.state = job_state::failed;
    ended.error = std::move(reason);
    return ended;
}

outcome outcome::cancelled(boost::json::value output) {
    outcome ended;
    ended.state = job_state::cancelled;
    ended.output = std::move(output);
    return ended;
}

base::awaitable<step_value> give(step_value value) {
    co_return value;
}

} // namespace postrider::queue
