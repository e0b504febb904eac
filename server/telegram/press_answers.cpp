#include "server/telegram/press_answers.hpp"

#include "base/log.hpp"

namespace postrider::telegram {

void messenger_press_answers::answer(agent::address at, std::string query, std::string_view note) {
    if (tasks_.size() >= most_at_once) {
        base::log::warn("telegram.press_not_answered", {{"bot", at.bot}, {"error", "overloaded"}});
        return;
    }
    tasks_.spawn("telegram.press", tell(at, std::move(query), std::string(note)));
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
