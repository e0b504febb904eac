#include "storage/cluster/guard.hpp"

#include "base/log.hpp"
#include "storage/reachability.hpp"

#include <algorithm>
#include <utility>

namespace postrider::storage::cluster {

namespace {

using namespace std::chrono_literals;

constexpr base::duration look_every = 1s;
constexpr base::duration longest_pause = 30s;
constexpr base::duration stands = 1min; // what lives that long is taken to be well

} // namespace

base::duration next_pause(base::duration pause, base::duration lived) {
    return lived >= stands ? look_every : std::clamp(pause * 2, look_every, longest_pause);
}

guard::guard(std::function<bool()> lives, starter start)
    : lives_(std::move(lives)),
      start_(std::move(start)),
      thread_([this](std::stop_token const& stop) { run(stop); }) {}

guard::~guard() = default;

void guard::run(std::stop_token const& stop) {
    auto pause = base::duration{0};
    auto started = base::system_clock().steady() - stands;
    while (wait(stop, std::max(pause, look_every))) {
        if (lives_()) {
            pause = base::duration{0};
            (void)outage_.over(base::system_clock().steady());
            died_ = false;
            continue;
        }
        pause = next_pause(pause, base::system_clock().steady() - started);
        start_again(stop, pause);
        started = base::system_clock().steady();
    }
}

bool guard::wait(std::stop_token const& stop, base::duration time) {
    std::unique_lock lock{mutex_};
    stopped_.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

void guard::start_again(std::stop_token const& stop, base::duration pause) {
    if (!std::exchange(died_, true)) base::log::warn("cluster.died");
    base::result<void> restarted;
    try {
        restarted = start_(stop);
    } catch (std::exception const& e) { // no process could be made, for example
        restarted = base::error(base::errc::unavailable, e.what());
    }
    if (restarted) died_ = false; // it is another death, should it end again at once
    if (restarted || stop.stop_requested()) return;
    if (outage_.failed(base::system_clock().steady(), tolerated_outage))
        base::log::error(
            "cluster.not_started", {{"error", restarted.error()}, {"again_in", pause}}
        );
}

} // namespace postrider::storage::cluster
