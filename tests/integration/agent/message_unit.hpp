#pragma once
// A person's message and the job that answers it, in one commit, as the intake writes them.
#include "base/random.hpp"
#include "queue/store/enqueue_turn.hpp"
#include "storage/stores/messages.hpp"

#include <string>

namespace postrider::tests {

class message_unit final : public storage::unit {
public:
    // Of the message its text and where it was said; the rest is the job's.
    message_unit(queue::new_job wanted, storage::message_row said)
        : wanted_(std::move(wanted)),
          said_(std::move(said)) {}

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned)
        override {
        if (number == 0) return {queue::enqueue_turn(wanted_, wanted_.lane, {})};
        if (number > 1) return {};
        entry = queue::read_enqueued(returned.front().front());
        said_.lane = entry.lane;
        said_.job = entry.id;
        said_.conversation = entry.conversation;
        said_.id = base::nanoid(base::system_random());
        said_.role = "user";
        return {storage::add_message(said_)};
    }

    queue::enqueued entry; // after the commit

private:
    queue::new_job wanted_;
    storage::message_row said_;
};

} // namespace postrider::tests
