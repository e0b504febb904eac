#pragma once
// What was read of the database a moment ago, for all who ask on this node: however many they are, it is
// read once in `fresh`, and only while somebody asks. Those who ask while it is read wait for the
// same answer; when the one that reads for them is cancelled, another one goes on.
// On the loop's thread; outlives whoever waits in it.
#include "server/views/shared_looks.hpp"

namespace postrider::server {

template<class Value>
class recent_reading {
public:
    using value = std::shared_ptr<Value const>;
    using reader = std::function<base::awaitable<base::result<Value>>()>;

    recent_reading(base::clock const& clock, base::duration fresh, reader read)
        : clock_(clock),
          fresh_(fresh),
          read_(std::move(read)),
          looks_(clock, [this](std::vector<int> askers) { return read_for(askers.size()); }) {}
    recent_reading(recent_reading const&) = delete;
    recent_reading& operator=(recent_reading const&) = delete;

    // Fails as the reader does; what was read before stays until it is no longer fresh.
    base::awaitable<base::result<value>> get() {
        if (is_fresh()) co_return latest_;
        auto const executor = co_await base::asio::this_coro::executor;
        auto const wakes = std::make_shared<base::waker>(executor);
        auto const place = std::make_shared<typename looks::place>(wakes);
        looks_.join(place);
        auto const answer = co_await looks_.look(*place, 0);
        if (!answer) co_return answer.error();
        co_return **answer;
    }

private:
    using looks = shared_looks<int, value>; // there is one query

    bool is_fresh() const { return latest_ && clock_.steady() - read_at_ < fresh_; }

    // Whoever came while it was read finds it here.
    base::awaitable<base::result<std::vector<value>>> read_for(std::size_t askers) {
        if (!is_fresh()) {
            auto read = co_await read_();
            if (!read) co_return read.error();
            latest_ = std::make_shared<Value const>(std::move(*read));
            read_at_ = clock_.steady();
        }
        co_return std::vector<value>(askers, latest_);
    }

    base::clock const& clock_;
    base::duration fresh_;
    reader read_;
    value latest_;
    base::steady_time read_at_;
    looks looks_;
};

} // namespace postrider::server
