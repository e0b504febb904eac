#include "server/bots/intake_adapters.hpp"

namespace postrider::server {

base::awaitable<base::result<telegram::accepted>> counting_intake::accept(
    telegram::bot_settings const& bot, std::string body
) {
    auto outcome = co_await inner_.accept(bot, std::move(body));
    count(outcome);
    co_return outcome;
}

base::awaitable<base::result<telegram::accepted>> counting_intake::accept_cut(
    telegram::bot_settings const& bot, std::string beginning
) {
    auto outcome = co_await inner_.accept_cut(bot, std::move(beginning));
    count(outcome);
    co_return outcome;
}

void counting_intake::count(base::result<telegram::accepted> const& outcome) {
    if (!outcome)
        ++counts_[outcome.error() == base::errc::invalid ? "malformed" : "unstored"];
    else if (!outcome->is_new)
        ++counts_["duplicate"];
    else
        ++counts_[std::string(outcome->disposition)];
}

} // namespace postrider::server
