#include "server/telegram/draft_state.hpp"

namespace postrider::telegram {

namespace {

// Longer than a call lasts.
constexpr base::duration longest_draft_call = std::chrono::seconds{12};

} // namespace

bool draft_state::admit(base::steady_time now) {
    if (now - second_ >= std::chrono::seconds{1}) {
        second_ = now;
        shown_ = 0;
    }
    return ++shown_ <= most_in_a_second;
}

std::shared_ptr<void> draft_state::begin(chat_id chat, base::asio::any_io_executor executor) {
    auto const [entry, is_first] =
        on_the_way_.try_emplace(chat, std::make_shared<base::signal>(std::move(executor)));
    if (!is_first) return nullptr;
    return {this, [chat](draft_state* state) {
                auto const landed = state->on_the_way_.extract(chat);
                landed.mapped()->notify();
            }};
}

base::awaitable<void> draft_state::settle(chat_id chat) {
    auto const entry = on_the_way_.find(chat);
    if (entry == on_the_way_.end()) co_return;
    auto const landed = entry->second;
    (void)co_await landed->wait_for(longest_draft_call);
}

} // namespace postrider::telegram
