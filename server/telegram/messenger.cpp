#include "server/telegram/messenger.hpp"

#include "base/log.hpp"
#include "server/telegram/send_delays.hpp"
#include "server/telegram/split.hpp"
#include "storage/stores/chats.hpp"

#include <map>

namespace postrider::telegram {

namespace {

using base::errc;

// Half of what is sent otherwise: whatever Telegram counted that we did not, this is below its limit.
constexpr std::size_t shorter_limit = message_limit / 2;

constexpr base::duration store_deadline = std::chrono::seconds{5};

// What is stored here helps the next process; this one has it in memory, so a failure is only told.
void tell(std::string_view state, bot_id bot, base::result<void> const& stored) {
    if (!stored)
        base::log::warn(
            "telegram.not_stored", {{"what", state}, {"bot", bot}, {"error", stored.error()}}
        );
}

class bot_messenger final : public telegram_messenger {
public:
    bot_messenger(
        bot_list bots,
        chat_moves& moves,
        base::clock& clock,
        storage::database& db,
        messenger_options options
    )
        : moves_(moves),
          clock_(clock),
          db_(db),
          options_(options) {
        for (auto* each : bots) bots_[each->settings.id] = each;
    }

    base::awaitable<base::result<void>> restore() override {
        auto notices = co_await storage::read_chat_notices(db_, store_deadline);
        if (!notices) co_return notices.error();
        for (auto const& notice : *notices) {
            if (notice.migrated_to) moves_.note(notice.bot, notice.chat, *notice.migrated_to);
            if (notice.send_delay) hold(notice.bot, notice.chat, *notice.send_delay);
        }
        co_return base::result<void>{};
    }

    base::awaitable<base::result<telegram_message_id>> send(agent::outgoing message) override {
        auto const bot = message.to.bot;
        send_request request;
        request.chat = moves_.follow(bot, message.to.chat);
        request.thread = message.to.thread;
        request.text = std::move(message.text);
        request.markup = options_.markup;
        // In a group it tells who is meant; in a private chat there is no doubt.
        if (base::raw(request.chat) < 0 && request.chat == message.to.chat)
            request.reply_to = message.reply_to;
        if (auto barred = why_not(bot, request.chat)) co_return *barred;
        co_return co_await send_known(*bots_.at(bot), std::move(request));
    }

    std::string resource(agent::address const& to) const override {
        auto const found = bots_.find(to.bot);
        return found == bots_.end() ? std::string{} : resource_of(found->second->settings);
    }

    base::awaitable<base::result<void>> edit(
        agent::address to, telegram_message_id message, std::string text
    ) override {
        auto const chat = moves_.follow(to.bot, to.chat);
        if (auto barred = why_not(to.bot, chat)) co_return *barred;
        auto& by = *bots_.at(to.bot);
        edit_request edit{chat, message, std::move(text), options_.markup};
        auto edited = co_await by.api->edit_message_text(edit);
        if (!edited && edited.error().objection == objection::markup &&
            edit.markup != markup::none) {
            tell_objection(by, edited.error().objection);
            edit.markup = markup::none;
            edited = co_await by.api->edit_message_text(std::move(edit));
        }
        if (edited) co_return base::result<void>{};
        co_await note(by, chat, edited.error().why);
        co_return edited.error().why;
    }

    base::awaitable<base::result<void>> react(
        agent::address to, telegram_message_id message, std::string emoji
    ) override {
        auto const chat = moves_.follow(to.bot, to.chat);
        if (auto barred = why_not(to.bot, chat)) co_return *barred;
        auto& by = *bots_.at(to.bot);
        auto shown = co_await by.api->set_reaction(chat, message, std::move(emoji));
        if (shown) co_return base::result<void>{};
        co_await note(by, chat, shown.error().why);
        co_return shown.error().why;
    }

    base::awaitable<base::result<void>> remove(agent::address to, telegram_message_id message)
        override {
        auto const chat = moves_.follow(to.bot, to.chat);
        if (auto barred = why_not(to.bot, chat)) co_return *barred;
        auto& by = *bots_.at(to.bot);
        auto removed = co_await by.api->delete_message(chat, message);
        if (removed) co_return base::result<void>{};
        co_await note(by, chat, removed.error().why);
        co_return removed.error().why;
    }

    std::optional<bot_id> find_bot(std::string_view name) const override {
        for (auto const& [id, each] : bots_)
            if (each->settings.name == name) return id;
        return std::nullopt;
    }

    bool has_bot(bot_id bot) const override { return bots_.contains(bot); }

    base::awaitable<void> typing(agent::address to) override {
        auto const chat = moves_.follow(to.bot, to.chat);
        if (why_not(to.bot, chat)) co_return;
        auto shown = co_await bots_.at(to.bot)->api->send_typing(chat, to.thread);
        if (!shown) co_await note(*bots_.at(to.bot), chat, shown.error().why);
    }

    std::vector<std::string> split(std::string_view text) const override {
        return split_message(text);
    }

private:
    // The failure that is known without a request.
    std::optional<base::error> why_not(bot_id bot, chat_id chat) {
        auto const found = bots_.find(bot);
        if (found == bots_.end()) return base::error(errc::not_found, "no such bot");
        if (found->second->breaker->stopped())
            return base::error(errc::unauthorized, "the bot is stopped: its token was refused");
        if (auto delay = delays_.remaining(bot, chat, clock_.steady())) {
            base::error limited(errc::rate_limited, "the chat has to wait");
            limited.retry_after = *delay;
            return limited;
        }
        return std::nullopt;
    }

    base::awaitable<base::result<telegram_message_id>> send_known(bot& by, send_request request) {
        for (bool followed = false;;) {
            auto sent = co_await by.api->send_message(request);
            if (sent) co_return *sent;
            auto const& failure = sent.error();
            if (failure.migrated_to && !followed) {
                followed = true;
                co_await move(by.settings.id, request.chat, *failure.migrated_to);
                request.chat = *failure.migrated_to;
                request.reply_to = {}; // message ids begin anew in the supergroup
            } else if (takes_other_form(request, failure.objection)) {
                tell_objection(by, failure.objection);
            } else if (failure.objection == objection::length) {
                tell_objection(by, failure.objection);
                co_return co_await send_shorter(by, std::move(request));
            } else {
                co_await note(by, request.chat, failure.why);
                co_return failure.why;
            }
        }
    }

    // A text that Telegram finds too long, in several messages; the id is the first one's.
    base::awaitable<base::result<telegram_message_id>> send_shorter(bot& by, send_request request) {
        auto const parts = split_message(request.text, shorter_limit);
        telegram_message_id first{};
        for (std::size_t part = 0; part < parts.size(); ++part) {
            request.text = parts[part];
            auto sent = co_await send_part(by, request);
            if (!sent) {
                co_await note(by, request.chat, sent.error().why);
                if (part == 0) co_return sent.error().why;
                // Trying again would repeat what is there: that is for the effect's class to decide.
                co_return base::error(
                    errc::ambiguous, "sent in part: " + base::to_string(sent.error().why)
                );
            }
            if (part == 0) first = *sent;
            request.reply_to = {};
        }
        co_return first;
    }

    base::awaitable<api_result<telegram_message_id>> send_part(bot& by, send_request request) {
        for (;;) {
            auto sent = co_await by.api->send_message(request);
            if (sent || !takes_other_form(request, sent.error().objection)) co_return sent;
            tell_objection(by, sent.error().objection);
        }
    }

    // Turns the request into the form that the objection leaves open; false: it is in that form.
    static bool takes_other_form(send_request& request, objection objection) {
        if (objection == objection::markup && request.markup != markup::none) {
            request.markup = markup::none;
            return true;
        }
        if (objection == objection::reply_target && request.reply_to != telegram_message_id{}) {
            request.reply_to = {};
            return true;
        }
        return false;
    }

    static void tell_objection(bot const& by, objection objection) {
        base::log::warn(
            "telegram.form_refused", {{"bot", by.settings.id}, {"objection", to_string(objection)}}
        );
    }

    base::awaitable<void> move(bot_id bot, chat_id from, chat_id to) {
        moves_.note(bot, from, to);
        tell(
            "migration", bot, co_await storage::store_migration(db_, bot, from, to, store_deadline)
        );
    }

    base::awaitable<void> note(bot& by, chat_id chat, base::error const& why) {
        auto const bot = by.settings.id;
        if (why == errc::unauthorized) {
            by.breaker->trip(why.detail);
        } else if (why == errc::rate_limited && why.retry_after) {
            hold(bot, chat, *why.retry_after);
            tell(
                "delay",
                bot,
                co_await storage::store_send_delay(db_, bot, chat, *why.retry_after, store_deadline)
            );
        } else if (why == errc::refused) {
            tell("block", bot, co_await storage::store_blocked(db_, bot, chat, store_deadline));
        }
    }

    void hold(bot_id bot, chat_id chat, std::chrono::milliseconds delay) {
        auto const now = clock_.steady();
        delays_.hold(bot, chat, now + delay, now);
    }

    std::map<bot_id, bot*> bots_;
    chat_moves& moves_;
    base::clock& clock_;
    storage::database& db_;
    messenger_options options_;
    send_delays delays_;
};

} // namespace

std::unique_ptr<telegram_messenger> make_messenger(
    bot_list bots,
    chat_moves& moves,
    base::clock& clock,
    storage::database& db,
    messenger_options options
) {
    return std::make_unique<bot_messenger>(std::move(bots), moves, clock, db, options);
}

} // namespace postrider::telegram
