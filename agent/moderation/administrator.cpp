#include "agent/moderation/administrator.hpp"

#include "agent/speech/speech.hpp"

namespace postrider::agent {

namespace {

constexpr base::retry_policy standing_tries{
    .limit = 4,
    .delay = std::chrono::seconds{1},
    .backoff = base::backoff_shape::exponential,
    .timeout = acting_timeout,
    .total = std::chrono::minutes{10}};

base::awaitable<queue::step_value> look_up_member(messenger& out, address group, user_id user) {
    auto const member = co_await out.get_member(group, user);
    if (member) co_return boost::json::value(static_cast<int>(authority_of(*member)));
    if (member.error() == base::errc::not_found)
        co_return boost::json::value(static_cast<int>(authority::none));
    co_return member.error();
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
    auto work = [&] { return look_up_member(out, group, user); };
    auto const asked = co_await steps.try_step(step, standing_tries, work);
    if (!asked) co_return asked.error();
    co_return static_cast<authority>(asked->as_int64());
}

} // namespace postrider::agent
