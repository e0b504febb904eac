#include "server/start/stop_signals.hpp"

#include <chrono>
#include <ctime>
#include <utility>

namespace postrider::server {

namespace {

sigset_t held_signals() noexcept {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    return signals;
}

} // namespace

stop_signals::stop_signals(base::asio::any_io_executor executor) : executor_(std::move(executor)) {
    auto const all = held_signals();
    pthread_sigmask(SIG_BLOCK, &all, &mask_before_.emplace());
}

stop_signals::~stop_signals() {
    release();
}

base::awaitable<int> stop_signals::next() {
    if (!arriving_) arriving_.emplace(executor_, SIGTERM, SIGINT);
    release();
    return arriving_->async_wait(base::asio::use_awaitable);
}

void stop_signals::release() noexcept {
    if (auto const before = std::exchange(mask_before_, std::nullopt))
        pthread_sigmask(SIG_SETMASK, &*before, nullptr);
}

void pause_start(base::duration time) {
    auto const all = held_signals();
    auto const seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
    timespec const limit{seconds.count(), (time - seconds).count()};
    if (sigtimedwait(&all, nullptr, &limit) > 0) throw start_stopped();
}

} // namespace postrider::server
