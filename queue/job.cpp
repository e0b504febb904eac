#include "queue/job.hpp"

#include "base/names.hpp"

#include <limits>

namespace postrider::queue {

namespace {

constexpr base::names<job_state, 9> states{{
    {job_state::available, "available"},
    {job_state::scheduled, "scheduled"},
    {job_state::running, "running"},
    {job_state::waiting, "waiting"},
    {job_state::retryable, "retryable"},
    {job_state::completed, "completed"},
    {job_state::failed, "failed"},
    {job_state::cancelled, "cancelled"},
    {job_state::paused, "paused"},
}};

constexpr base::names<mailbox, 4> mailboxes{{
    {mailbox::queue, "queue"},
    {mailbox::coalesce, "coalesce"},
    {mailbox::interrupt, "interrupt"},
    {mailbox::route, "route"},
}};

constexpr base::names<control_request, 5> control_requests{{
    {control_request::cancel, "cancel"},
    {control_request::rollback, "rollback"},
    {control_request::pause, "pause"},
    {control_request::hold, "hold"},
    {control_request::interrupt, "interrupt"},
}};

// What a provider tells, however wrong, ends at the column's bounds.
void add(std::int64_t& total, std::int64_t more) noexcept {
    if (!__builtin_add_overflow(total, more, &total)) return;
    using bounds = std::numeric_limits<std::int64_t>;
    total = more > 0 ? bounds::max() : bounds::min();
}

} // namespace

std::string_view to_string(job_state state) noexcept {
    return base::name_of(states, state);
}

std::optional<job_state> job_state_from_string(std::string_view name) noexcept {
    return base::named(states, name);
}

std::vector<std::string_view> job_state_names() {
    std::vector<std::string_view> all;
    for (auto const& [state, name] : states) all.push_back(name);
    return all;
}

usage& usage::operator+=(usage const& more) noexcept {
    add(tokens_in, more.tokens_in);
    add(tokens_out, more.tokens_out);
    add(tokens_cached, more.tokens_cached);
    add(cost_micro, more.cost_micro);
    return *this;
}

bool over(job_state state) noexcept {
    return state == job_state::completed || state == job_state::failed ||
           state == job_state::cancelled;
}

std::string_view to_string(mailbox policy) noexcept {
    return base::name_of(mailboxes, policy);
}

std::optional<mailbox> mailbox_from_string(std::string_view name) noexcept {
    return base::named(mailboxes, name);
}

std::string_view to_string(control_request request) noexcept {
    return base::name_of(control_requests, request);
}

std::optional<control_request> control_request_from_string(std::string_view name) noexcept {
    return base::named(control_requests, name);
}

} // namespace postrider::queue
