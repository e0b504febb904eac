#include "server/telegram/group_runners.hpp"

#include "base/json/json.hpp"

namespace postrider::telegram {

namespace {

constexpr api_method chat_details{.name = "getChat"};

} // namespace

base::awaitable<api_result<group_runners>> get_group_runners(bot_api& api, chat_id group) {
    auto members = co_await api.get_administrators(group);
    if (!members) co_return members.error();
    group_runners runners{std::move(*members)};
    base::json::object parameters{{"chat_id", base::raw(group)}};
    auto const chat = co_await api.call(chat_details, std::move(parameters));
    if (!chat && base::retryable(chat.error().cause.code)) co_return chat.error();
    if (!chat) co_return runners;
    base::json_reader const details(*chat);
    runners.title = details["title"].string_or("");
    auto const linked = details["linked_chat_id"].int64_or(0);
    if (linked == 0) co_return runners;
    agent::chat_member channel;
    channel.user = user_id{linked};
    channel.standing = agent::member_standing::administrator;
    runners.members.push_back(std::move(channel));
    co_return runners;
}

} // namespace postrider::telegram
