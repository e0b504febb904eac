#pragma once
// Brings lanes in line with what is paused: holds those that a pause has to hold, frees those that
// no pause holds any more. Operations do so with the first lanes; the nodes do the rest.
//
// Guarantees: after a pause has come or gone the lanes are looked through until none is left to be
// changed, and every few seconds for a while, as a commit of then may not have seen it; besides
// every minute. Otherwise a poll asks only whether anything has changed, however many lanes are held.
#include "queue/store/poll.hpp"

#include <string>

namespace postrider::queue {

class pause_sweeps {
public:
    explicit pause_sweeps(base::clock& clock) : clock_(clock) {}

    // Before the poll runs; the poll ends before this does.
    void follow(poll& reads);

private:
    std::string question();
    void note(storage::row const& swept);

    base::clock& clock_;
    poll* reads_ = nullptr;
    std::string pauses_; // a digest of what is paused
    bool unfinished_ = true;
    bool sweeping_ = false; // with the question that is under way
    base::steady_time changed_at_{};
    base::steady_time swept_at_{};
};

} // namespace postrider::queue
