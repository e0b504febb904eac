#include "server/telegram/press_answers.hpp"

#include "base/log.hpp"

#include <algorithm>

namespace postrider::telegram {

namespace {

// An update's answer waits for it, and is due in five seconds.
constexpr base::duration patience_with_administrators = std::chrono::seconds{2};

} // namespace

void messenger_press_answers::answer(agent::address at, std::string query, std::string_view note) {
    if (tasks_.size() >= most_at_once) {
        base::log::warn("telegram.press_not_answered", {{"bot", at.bot}, {"error", "overloaded"}});
        return;
    }
    tasks_.spawn("telegram.press", tell(at, std::move(query), std::string(note)));
}

base::awaitable<bool> messenger_press_answers::may_decide(agent::address group, user_id user) {
    auto const administrators =
        co_await base::with_timeout(out_.get_administrators(group), patience_with_administrators);
    if (!administrators) co_return true;
    co_return std::ranges::find(*administrators, user, &agent::chat_member::user) !=
        administrators->end();
}

base::awaitable<void> messenger_press_answers::tell(
    agent::address at, std::string query, std::string note
) {
    auto const answered = co_await out_.answer_press(at, std::move(query), std::move(note), false);
    // Too old: an update that was seen before, or Telegram was slower than the person.
    if (!answered && answered.error() != base::errc::stale)
        base::log::warn(
            "telegram.press_not_answered", {{"bot", at.bot}, {"error", answered.error()}}
        );
}

base::awaitable<void> messenger_press_answers::close() {
    tasks_.cancel();
    co_await tasks_.join();
}

} // namespace postrider::telegram
