#pragma once
// press_answers over the messenger. On the executor's one thread.
#include "agent/talk/messenger.hpp"
#include "server/telegram/intake.hpp"

namespace postrider::telegram {

class messenger_press_answers final : public press_answers {
public:
    // So many presses are answered at a time; what comes beyond is not.
    static constexpr std::size_t most_at_once = 100;

    // The messenger outlives it. Destroyed after close().
    messenger_press_answers(base::asio::any_io_executor const& executor, agent::messenger& out)
        : out_(out),
          tasks_(executor) {}

    void answer(agent::address at, std::string query, std::string_view note) override;
    base::awaitable<bool> may_decide(agent::address group, user_id user) override;
    void note_new_runners(agent::address const& group) override {
        out_.forget_administrators(group);
    }
    // Drops what is being answered; called once nothing more comes in.
    base::awaitable<void> close();

private:
    base::awaitable<void> tell(agent::address at, std::string query, std::string note);

    agent::messenger& out_;
    base::task_group tasks_;
};

} // namespace postrider::telegram
