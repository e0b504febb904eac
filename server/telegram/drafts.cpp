#include "server/telegram/drafts.hpp"

#include "base/log.hpp"
#include "server/telegram/split.hpp"

#include <fmt/format.h>

#include <sstream>

namespace postrider::telegram {

namespace {

using base::errc;

constexpr api_method draft_method{"sendMessageDraft", false, std::chrono::seconds{5}};

base::json::object body_of_draft(
    agent::address const& chat, std::int64_t number, agent::message_content const& content
) {
    base::json::object body{
        {"chat_id", base::raw(chat.chat)},
        {"draft_id", number},
        {"text", content.text},
        {"can_stop", true}};
    if (content.markup == agent::text_markup::html) body["parse_mode"] = "HTML";
    if (chat.thread != thread_id{}) body["message_thread_id"] = base::raw(chat.thread);
    return body;
}

class drafts_of_bots final : public agent::draft_screen {
public:
    drafts_of_bots(bot_list bots, base::clock& clock) : bots_(std::move(bots)), clock_(clock) {}

    bool shows(agent::address const& chat) const override {
        auto const* bot = find(chat.bot);
        return bot && bot->settings.drafts && base::raw(chat.chat) > 0 &&
               !agent::is_business(chat.chat) && !bot->drafts.is_refused() &&
               !bot->breaker->stopped();
    }

    base::awaitable<base::result<void>> show(
        agent::address chat, std::int64_t number, std::string text
    ) override {
        if (!shows(chat)) co_return base::error(errc::refused, "no drafts are shown there");
        auto& bot = *find(chat.bot);
        if (!bot.drafts.admit(clock_.steady()))
            co_return base::error(errc::overloaded, "enough drafts are shown");
        auto executor = co_await base::asio::this_coro::executor;
        auto const passage = bot.drafts.begin(chat.chat, std::move(executor));
        if (!passage) co_return base::error(errc::overloaded, "a draft is on its way there");
        // What is written now stands at the end.
        auto content =
            split_content({.text = std::move(text), .markup = agent::text_markup::markdown}).back();
        auto shown = co_await call(bot, chat, number, content);
        if (!shown && shown.error().objection == objection::markup) {
            content.text = agent::without_markup(content.text);
            content.markup = agent::text_markup::none;
            shown = co_await call(bot, chat, number, content);
        }
        if (shown) co_return base::result<void>{};
        co_return note(bot, shown.error().cause);
    }

private:
    // The same object, whoever asks.
    bot* find(bot_id id) const {
        for (auto* bot : bots_)
            if (bot->settings.id == id) return bot;
        return nullptr;
    }

    static base::awaitable<api_result<base::json::value>> call(
        bot& sender,
        agent::address const& chat,
        std::int64_t number,
        agent::message_content const& content
    ) {
        return sender.api->call(draft_method, body_of_draft(chat, number, content));
    }

    static base::error note(bot& sender, base::error cause) {
        if (cause == errc::unauthorized) sender.breaker->trip(cause.detail);
        if (cause == errc::not_found) {
            sender.drafts.refuse();
            base::log::info("telegram.drafts_refused", {{"bot", sender.settings.id}});
        }
        // Nothing else of it concerns messages. Whatever is wrong with this draft is wrong with the next.
        if (cause == errc::not_found || cause == errc::invalid || cause == errc::unauthorized)
            cause.code = errc::refused;
        return cause;
    }

    bot_list bots_;
    base::clock& clock_;
};

} // namespace

std::string stop_notice(agent::address const& chat, std::int64_t number) {
    return fmt::format("stop {} {} {}", base::raw(chat.bot), base::raw(chat.chat), number);
}

std::optional<stopped_elsewhere> read_stop_notice(std::string_view payload) {
    constexpr std::string_view word = "stop ";
    if (!payload.starts_with(word)) return std::nullopt;
    std::istringstream numbers{std::string(payload.substr(word.size()))};
    std::int64_t bot = 0;
    std::int64_t chat = 0;
    stopped_elsewhere stopped;
    if (!(numbers >> bot >> chat >> stopped.number)) return std::nullopt;
    stopped.chat = {bot_id{bot}, chat_id{chat}, {}};
    return stopped;
}

std::unique_ptr<agent::draft_screen> make_drafts(bot_list bots, base::clock& clock) {
    return std::make_unique<drafts_of_bots>(std::move(bots), clock);
}

} // namespace postrider::telegram
