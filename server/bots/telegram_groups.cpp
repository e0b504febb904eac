#include "server/bots/telegram_groups.hpp"

#include "base/json/json.hpp"

#include <algorithm>

namespace postrider::server {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_groups_of_a_bot = 20; // whose rights are asked for
constexpr base::duration patience_with_a_group = 5s;
constexpr base::duration between_group_looks = 10min;
constexpr base::duration between_group_tries = 10s; // until Telegram has told who the bots are
constexpr telegram::api_method get_chat{.name = "getChat"};

base::awaitable<base::result<std::string>> ask_for_title(telegram::bot_api& api, chat_id group) {
    base::json::object parameters{{"chat_id", base::raw(group)}};
    auto const chat = co_await api.call(get_chat, std::move(parameters));
    if (!chat) co_return chat.error().cause;
    co_return base::json_reader(*chat)["title"].string_or("");
}

base::awaitable<base::result<agent::chat_member>> ask_for_own(
    telegram::bot_api& api, chat_id group, user_id self
) {
    auto own = co_await api.get_chat_member(group, self);
    if (!own) co_return own.error().cause;
    co_return std::move(*own);
}

class telegram_groups final : public group_desk {
public:
    explicit telegram_groups(telegram::bot_list bots) : bots_(std::move(bots)) {}

    std::optional<serving_bot> bot_of(chat_id group) const override {
        for (auto const* bot : bots_)
            if (bot->settings.allowlist.chats.contains(group))
                return serving_bot{bot->settings.id, bot->settings.timezone};
        return std::nullopt;
    }

    base::awaitable<std::vector<group_state>> look() override {
        co_await look_at_all(configured());
        co_return seen_;
    }

    std::vector<group_state> last_seen() const override { return seen_; }

    base::awaitable<void> keep_looking() override {
        for (;;) {
            auto watched = configured();
            std::erase_if(watched, [](auto const& group) { return !group.is_watched; });
            bool const all_told = std::ranges::all_of(watched, [](auto const& group) {
                return group.identity.has_value();
            });
            if (!watched.empty() && all_told) co_await look_at_all(std::move(watched));
            co_await base::sleep_for(all_told ? between_group_looks : between_group_tries);
        }
    }

private:
    telegram::bot* running(bot_id id) const {
        return *std::ranges::find_if(bots_, [id](auto const* bot) {
            return bot->settings.id == id;
        });
    }

    base::awaitable<void> look_at_all(std::vector<group_state> groups) {
        std::vector<base::awaitable<void>> looks;
        std::map<bot_id, std::size_t> asked;
        for (auto& group : groups)
            if (group.identity && ++asked[group.place.bot] <= most_groups_of_a_bot)
                looks.push_back(look_at(group));
        co_await base::run_together("groups.look", std::move(looks));
        seen_ = std::move(groups);
    }

    std::vector<group_state> configured() const {
        std::vector<group_state> groups;
        for (auto const* bot : bots_)
            for (auto const chat : bot->settings.allowlist.chats)
                groups.push_back(
                    {.bot_name = bot->settings.name,
                     .place = {bot->settings.id, chat},
                     .title = last_title(bot->settings.id, chat),
                     .is_watched = telegram::watches_groups(*bot),
                     .identity = bot->breaker->stopped() ? std::nullopt : bot->identity}
                );
        return groups;
    }

    // A group keeps its name while Telegram does not tell it again.
    std::string last_title(bot_id bot, chat_id chat) const {
        auto const last = std::ranges::find_if(seen_, [bot, chat](auto const& group) {
            return group.place.bot == bot && group.place.chat == chat;
        });
        return last == seen_.end() ? std::string() : last->title;
    }

    // Telegram may not answer: then the group is as the configuration has it.
    base::awaitable<void> look_at(group_state& group) {
        auto& api = *running(group.place.bot)->api;
        auto const chat = group.place.chat;
        auto const self = group.identity->id;
        auto own = co_await base::with_timeout(ask_for_own(api, chat, self), patience_with_a_group);
        if (own)
            group.own = std::move(*own);
        else
            group.own_failure = own.error();
        auto title = co_await base::with_timeout(ask_for_title(api, chat), patience_with_a_group);
        if (title) group.title = std::move(*title);
    }

    telegram::bot_list bots_;
    std::vector<group_state> seen_;
};

} // namespace

std::unique_ptr<group_desk> make_group_desk(telegram::bot_list bots) {
    return std::make_unique<telegram_groups>(std::move(bots));
}

} // namespace postrider::server
