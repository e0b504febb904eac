#include "server/telegram/business_accounts.hpp"

#include "server/telegram/business.hpp"

#include <algorithm>

namespace postrider::telegram {

namespace {

constexpr api_method get_connection_method{"getBusinessConnection"};

base::awaitable<base::result<storage::business_connection>> ask_for_connection(
    bot& bot, std::string connection
) {
    base::json::object parameters{{"business_connection_id", connection}};
    auto answer = co_await bot.api->call(get_connection_method, std::move(parameters));
    if (!answer) co_return answer.error().cause;
    base::json_reader const root{*answer};
    auto change = read_business_change(root);
    if (root.failed()) co_return root.failure();
    change.connection = std::move(connection);
    co_return connection_of(bot.settings.id, change);
}

} // namespace

base::awaitable<base::result<std::optional<storage::business_connection>>>
asked_business_accounts::find(bot_settings const& bot, std::string connection) {
    std::optional<storage::business_connection> served;
    auto const now = clock_.steady();
    std::erase_if(refused_, [now](auto const& refusal) { return refusal.second <= now; });
    std::pair const key{bot.id, connection};
    auto const entry = std::ranges::find_if(bots_, [&](auto const* candidate) {
        return candidate->settings.id == key.first;
    });
    if (entry == bots_.end() || refused_.contains(key) || refused_.size() >= most_refused)
        co_return served;
    auto answer =
        co_await base::with_timeout(ask_for_connection(**entry, std::move(connection)), patience);
    if (!answer && base::retryable(answer.error().code))
        co_return base::error(base::errc::unavailable, answer.error().detail);
    if (answer && serves_business((*entry)->settings, answer->account))
        served = std::move(*answer);
    else
        refused_.insert_or_assign(key, now + between_questions);
    co_return served;
}

} // namespace postrider::telegram
