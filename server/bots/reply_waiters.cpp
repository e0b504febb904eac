#include "server/bots/reply_waiters.hpp"

#include <memory>

namespace postrider::server {

namespace {

using namespace std::chrono_literals;

constexpr auto look_deadline = 5s;
constexpr base::duration first_pause = 20ms;
constexpr base::duration longest_pause = 400ms;

} // namespace

base::awaitable<std::optional<net::http_response>> reply_waiters::wait(
    storage::statement look,
    std::vector<storage::param> arguments,
    std::function<std::optional<net::http_response>(storage::row const&)> read,
    base::duration patience
) {
    if (waiting_ >= most_) co_return std::nullopt;
    ++waiting_;
    auto const leave = [this](void*) { --waiting_; };
    std::unique_ptr<void, decltype(leave)> const until_here(this, leave);

    auto const until = base::system_clock().steady() + patience;
    for (auto pause = first_pause;; pause = std::min(pause * 2, longest_pause)) {
        auto found = co_await db_.query(look, arguments, look_deadline);
        // A database that is away for a moment is no reason to stop waiting.
        if (found && !found->empty())
            if (auto reply = read(found->front())) co_return reply;
        auto const left = until - base::system_clock().steady();
        if (left <= base::duration::zero() || closed_) co_return std::nullopt;
        co_await base::sleep_for(std::min<base::duration>(pause, left));
    }
}

} // namespace postrider::server
