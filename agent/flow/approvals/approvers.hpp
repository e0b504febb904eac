#pragma once
// The people who are asked where a turn has no chat: a question of theirs is sent to each of them, with
// the same buttons, and the first press decides.
#include "agent/flow/services.hpp"
#include "agent/talk/question.hpp"

#include <string>
#include <vector>

namespace postrider::agent::approvals {

class approver_messages {
public:
    // All of them outlive it. `name`: of the question.
    approver_messages(
        queue::workflow& steps, flow::node_services const& services, std::string const& name
    )
        : steps_(steps),
          services_(services),
          name_(name) {}

    // Settles who is asked, for all runs of the job. Before the question is opened.
    base::awaitable<void> choose();
    std::vector<user_id> people() const;

    // One who cannot be written to is passed over: the question stands among the approvals all the same.
    // Throws queue::not_here as deliver() does.
    // It stands in the history of their chats, at that place of the job.
    base::awaitable<void> send(question const& asked, std::string_view id, std::int64_t place);
    base::awaitable<void> show_whole(std::string text, int look);
    base::awaitable<void> show_outcome(std::string text);

private:
    struct recipient {
        address to;
        telegram_message_id message{}; // that has the buttons; 0 = none was sent
    };

    base::awaitable<delivery> send_to(
        recipient const& to,
        std::string name,
        message_content content,
        std::vector<storage::write> rows
    );
    std::string numbered(std::string_view part, std::size_t number) const;

    queue::workflow& steps_;
    flow::node_services const& services_;
    std::string const& name_;
    std::vector<recipient> recipients_;
};

} // namespace postrider::agent::approvals
