#pragma once
// Looks every second, on a thread of its own, whether a cluster's server lives, and starts it when
// it does not.
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/outage.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace postrider::storage::cluster {

class guard {
public:
    // Both are called on the guard's thread; start() blocks until the server answers or failed, and
    // gives up soon after it is asked to stop.
    using starter = std::function<base::result<void>(std::stop_token const& stop)>;
    guard(std::function<bool()> lives, starter start);
    ~guard(); // waits for a start in progress

private:
    void run(std::stop_token const& stop);
    bool wait(std::stop_token const& stop, base::duration time);
    void start_again(std::stop_token const& stop, base::duration pause);

    base::outage outage_;
    bool died_ = false; // and no start has succeeded since
    std::function<bool()> lives_;
    starter start_;
    std::mutex mutex_;
    std::condition_variable_any stopped_;
    std::jthread thread_; // last: it uses the others
};

// The pause after a try to start a server, by the pause before it; a server that died soon after it
// was started counts as a failed try.
base::duration next_pause(base::duration pause, base::duration lived);

} // namespace postrider::storage::cluster
