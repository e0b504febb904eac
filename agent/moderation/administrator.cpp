#include "agent/moderation/administrator.hpp"

#include "agent/speech/speech.hpp"

#include <algorithm>

namespace postrider::agent {

namespace {

constexpr base::retry_policy standing_tries{
    .limit = 4,
    .delay = std::chrono::seconds{1},
    .backoff = base::backoff_shape::exponential,
    .timeout = acting_timeout,
    .total = std::chrono::minutes{10}};

base::awaitable<queue::step_value> look_up_runner(messenger& out, address group, user_id user) {
    auto const runners = co_await out.get_administrators(group);
    if (!runners) co_return runners.error();
    auto const runner = std::ranges::find(*runners, user, &chat_member::user);
    auto const may = runner == runners->end() ? authority::none : authority_of(*runner);
    co_return boost::json::value(static_cast<int>(may));
}

} // namespace

authority authority_of(chat_member const& member) noexcept {
    if (member.standing == member_standing::owner) return authority::moderator;
    if (member.standing != member_standing::administrator) return authority::none;
    return member.may_restrict ? authority::moderator : authority::administrator;
}

base::awaitable<base::result<authority>> ask_authority(
    queue::workflow steps, messenger& out, std::string step, address group, user_id user
) {
    if (!steps.recorded(step)) leave_to_a_node_serving(out, group);
    auto work = [&] { return look_up_runner(out, group, user); };
    auto const asked = co_await steps.try_step(step, standing_tries, work);
    if (!asked) co_return asked.error();
    co_return static_cast<authority>(asked->as_int64());
}

} // namespace postrider::agent
