#pragma once
// Parts of albums that were said to others in a group, for an hour: a later part may be said to the bot, and
// somebody may reply to one with a command. In memory alone, since messages between people are not stored:
// another process knows none of them. On the executor's one thread.
#include "base/clock.hpp"
#include "server/telegram/disposition.hpp"

#include <deque>

namespace postrider::telegram {

class passed_parts {
public:
    static constexpr std::size_t most = 2000;
    static constexpr base::duration longest = std::chrono::hours{1};

    // One that belongs to no job.
    void note(to_job const& part, base::steady_time now);
    // What the job's album had before goes in front of its own media, and a reply to a part of an album has the
    // files of the others.
    void bring(to_job& job, base::steady_time now) const;
    // The job is stored: another part of its album brings only what came since.
    void forget_album(to_job const& job);

private:
    struct part {
        std::string place;
        std::string album;
        agent::flow::heard_message heard;
        base::steady_time until;
        bool is_brought = false;
    };

    std::deque<part> parts_; // the oldest first
};

} // namespace postrider::telegram
