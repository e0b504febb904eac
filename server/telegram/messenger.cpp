#include "server/telegram/messenger.hpp"

#include "server/telegram/administrators.hpp"
#include "server/telegram/business_routes.hpp"
#include "server/telegram/group_runners.hpp"
#include "server/telegram/messenger_limits.hpp"
#include "server/telegram/other_form.hpp"
#include "server/telegram/send_delays.hpp"
#include "server/telegram/split.hpp"
#include "storage/stores/chats.hpp"

#include <functional>
#include <map>
#include <utility>

namespace postrider::telegram {

namespace {

using base::errc;

class bot_messenger final : public telegram_messenger {
public:
    bot_messenger(
        bot_list const& bots, chat_moves& moves, base::clock& clock, storage::database& db
    )
        : moves_(moves),
          clock_(clock),
          db_(db) {
        for (auto* bot : bots) bots_[bot->settings.id] = bot;
    }

    base::awaitable<base::result<void>> restore() override {
        auto notices = co_await storage::read_chat_notices(db_, delivery_deadline);
        if (!notices) co_return notices.error();
        for (auto const& notice : *notices) {
            if (notice.migrated_to) moves_.note(notice.bot, notice.chat, *notice.migrated_to);
            if (notice.send_delay) hold(notice.bot, notice.chat, *notice.send_delay);
        }
        co_return base::result<void>{};
    }

    base::awaitable<base::result<telegram_message_id>> send(agent::outgoing message) override {
        auto const bot = message.to.bot;
        if (auto violation = agent::content_violation(message.content)) co_return *violation;
        send_request request;
        request.chat = moves_.follow(bot, message.to.chat);
        request.thread = message.to.thread;
        request.content = std::move(message.content);
        // Numbers of a group are others in the supergroup that it became.
        if (request.chat == message.to.chat) request.reply_to = message.reply_to;
        if (auto barred = why_not(bot, request.chat)) co_return *barred;
        auto route =
            co_await find_business_route(db_, settings_of(bot), request.chat, route_deadline);
        if (!route) co_return route.error();
        request.business = std::move(*route);
        if (request.business) request.content = without_buttons(std::move(request.content));
        co_await bots_.at(bot)->drafts.settle(request.chat);
        co_return co_await send_known(*bots_.at(bot), std::move(request));
    }

    std::string resource(agent::address const& target) const override {
        auto const entry = bots_.find(target.bot);
        return entry == bots_.end() ? std::string{} : resource_of(entry->second->settings);
    }

    base::awaitable<base::result<void>> edit(
        agent::address target, telegram_message_id message, agent::message_content content
    ) override {
        if (auto violation = agent::content_violation(content, true)) co_return *violation;
        auto const chat = moves_.follow(target.bot, target.chat);
        if (auto barred = why_not(target.bot, chat)) co_return *barred;
        auto route =
            co_await find_business_route(db_, settings_of(target.bot), chat, route_deadline);
        if (!route) co_return route.error();
        if (*route) content = without_buttons(std::move(content));
        auto& bot = *bots_.at(target.bot);
        if (content.markup == agent::text_markup::markdown) {
            auto parts = split_content(std::move(content));
            if (parts.size() > 1)
                co_return base::error(errc::too_large, "the text is longer than a message");
            content = std::move(parts.front());
        }
        edit_request request{chat, message, std::move(content)};
        request.business = std::move(*route);
        auto const until = clock_.steady() + all_changes;
        for (;;) {
            auto edited = co_await bot.api->edit_message(request);
            if (edited) co_return base::result<void>{};
            auto const& failure = edited.error();
            if (!takes_other_form(request, failure.objection)) {
                co_await note(bot, chat, failure.cause);
                co_return failure.cause;
            }
            log_objection(bot.settings.id, failure.objection);
            if (!is_time_for(longest_change, until)) co_return out_of_time();
        }
    }

    base::awaitable<base::result<void>> react(
        agent::address target, telegram_message_id message, std::string emoji
    ) override {
        return act(target, [message, emoji = std::move(emoji)](bot_api& api, chat_id chat) {
            return api.set_reaction(chat, message, emoji);
        });
    }

    base::awaitable<base::result<void>> remove(agent::address target, telegram_message_id message)
        override {
        return act(
            target,
            [message](bot_api& api, chat_id chat) { return api.delete_message(chat, message); },
            chat_mark::none
        );
    }

    // Not held back by a delay of its chat: it is no message, and who pressed waits.
    base::awaitable<base::result<void>> answer_press(
        agent::address target, std::string press, std::string note, bool alert
    ) override {
        if (auto barred = stopped(target.bot)) co_return *barred;
        auto& bot = *bots_.at(target.bot);
        if (!note.empty()) note = split_message(note, longest_press_note).front();
        auto answered =
            co_await bot.api->answer_callback_query(std::move(press), std::move(note), alert);
        if (answered) co_return base::result<void>{};
        auto const& cause = answered.error().cause;
        if (cause == errc::unauthorized) bot.breaker->trip(cause.detail);
        co_return cause;
    }

    base::awaitable<base::result<agent::chat_member>> get_member(
        agent::address target, user_id user
    ) override {
        return look<agent::chat_member>(target, [user](bot_api& api, chat_id chat) {
            return api.get_chat_member(chat, user);
        });
    }

    base::awaitable<base::result<std::vector<agent::chat_member>>> get_administrators(
        agent::address target
    ) override {
        auto runners = co_await look_up_runners(target);
        if (!runners) co_return runners.error();
        co_return std::move(runners->members);
    }

    void forget_administrators(agent::address const& target) override {
        administrators_.forget(target.bot, moves_.follow(target.bot, target.chat));
    }

    base::awaitable<std::string> get_title(agent::address target) override {
        auto runners = co_await base::with_timeout(look_up_runners(target), patience_with_title);
        co_return runners ? std::move(runners->title) : std::string();
    }

    base::awaitable<base::result<void>> moderate(agent::address target, agent::moderation change)
        override {
        return act(
            target,
            [change = std::move(change)](bot_api& api, chat_id chat) {
                return api.moderate(chat, change);
            },
            chat_mark::none
        );
    }

    base::awaitable<base::result<std::string>> load_file(
        agent::address target, std::string file, std::size_t most
    ) override {
        if (auto barred = stopped(target.bot)) co_return *barred;
        auto& bot = *bots_.at(target.bot);
        auto loaded = co_await bot.api->get_file(std::move(file), most);
        if (loaded) co_return std::move(*loaded);
        auto const& cause = loaded.error().cause;
        if (cause == errc::unauthorized) bot.breaker->trip(cause.detail);
        co_return cause;
    }

    std::optional<bot_id> find_bot(std::string_view name) const override {
        for (auto const& [id, bot] : bots_)
            if (bot->settings.name == name) return id;
        return std::nullopt;
    }

    bool serves(agent::address const& target) const override {
        auto const entry = bots_.find(target.bot);
        return entry != bots_.end() && !entry->second->breaker->stopped_here_only();
    }
    agent::address current(agent::address const& target) const override {
        auto now = target;
        now.chat = moves_.follow(target.bot, target.chat);
        return now;
    }

    base::awaitable<void> typing(agent::address target) override {
        auto const chat = moves_.follow(target.bot, target.chat);
        if (why_not(target.bot, chat)) co_return;
        auto const route =
            co_await find_business_route(db_, settings_of(target.bot), chat, route_deadline);
        if (!route) co_return;
        auto shown = co_await bots_.at(target.bot)->api->send_typing(chat, target.thread, *route);
        if (!shown) co_await note(*bots_.at(target.bot), chat, shown.error().cause);
    }

    std::vector<agent::message_content> split(
        agent::address const& /*to*/, agent::message_content content
    ) const override {
        return messages_of(std::move(content));
    }

private:
    // Whether a refusal tells that the chat is closed to us, or only that we may not do this there.
    enum class chat_mark { none, blocked };
    using bot_call = std::function<base::awaitable<api_result<void>>(bot_api& api, chat_id chat)>;

    // What else there is to do in a chat, Telegram takes for its own chats alone.
    static std::optional<base::error> why_no_act(chat_id chat) {
        if (!agent::is_business(chat)) return std::nullopt;
        return base::error(errc::refused, "in a chat of a business account the bot only writes");
    }

    // One call that may be done again.
    base::awaitable<base::result<void>> act(
        agent::address target, bot_call call, chat_mark mark = chat_mark::blocked
    ) {
        auto const chat = moves_.follow(target.bot, target.chat);
        if (auto barred = why_no_act(chat)) co_return *barred;
        if (auto barred = why_not(target.bot, chat)) co_return *barred;
        auto& bot = *bots_.at(target.bot);
        auto done = co_await call(*bot.api, chat);
        if (done) co_return base::result<void>{};
        co_await note(bot, chat, done.error().cause, mark);
        co_return done.error().cause;
    }

    // One call that only reads.
    template<class T>
    base::awaitable<base::result<T>> look(
        agent::address target, std::function<base::awaitable<api_result<T>>(bot_api&, chat_id)> call
    ) {
        auto const chat = moves_.follow(target.bot, target.chat);
        if (auto barred = why_no_act(chat)) co_return *barred;
        if (auto barred = why_not(target.bot, chat)) co_return *barred;
        auto& bot = *bots_.at(target.bot);
        auto answer = co_await call(*bot.api, chat);
        if (answer) co_return std::move(*answer);
        co_await note(bot, chat, answer.error().cause, chat_mark::none);
        co_return answer.error().cause;
    }

    base::awaitable<base::result<group_runners>> look_up_runners(agent::address target) {
        auto const chat = moves_.follow(target.bot, target.chat);
        if (auto const* kept = administrators_.find(target.bot, chat, clock_.steady()))
            co_return *kept;
        auto const changes = administrators_.changes();
        auto current = co_await look<group_runners>(target, get_group_runners);
        if (current && changes == administrators_.changes())
            administrators_.keep(target.bot, chat, *current, clock_.steady());
        co_return current;
    }

    std::optional<base::error> stopped(bot_id bot) const {
        auto const entry = bots_.find(bot);
        if (entry == bots_.end()) return base::error(errc::not_found, "no such bot");
        if (entry->second->breaker->stopped())
            return base::error(errc::unauthorized, "the bot is stopped: its token was refused");
        return std::nullopt;
    }

    bot_settings const& settings_of(bot_id bot) const { return bots_.at(bot)->settings; }

    // The failure that is known without a request.
    std::optional<base::error> why_not(bot_id bot, chat_id chat) {
        if (auto barred = stopped(bot)) return barred;
        if (auto delay = delays_.remaining(bot, chat, clock_.steady())) {
            base::error limited(errc::rate_limited, "the chat has to wait");
            limited.retry_after = *delay;
            return limited;
        }
        return std::nullopt;
    }

    bool is_time_for(base::duration call, base::steady_time until) const {
        return clock_.steady() + call <= until;
    }

    base::awaitable<base::result<telegram_message_id>> send_known(
        bot& sender, send_request request
    ) {
        auto const until = clock_.steady() + all_sends;
        for (bool followed = false;;) {
            auto sent = co_await sender.api->send_message(request);
            if (sent) co_return *sent;
            auto const& failure = sent.error();
            if (failure.migrated_to && !followed) {
                followed = true;
                co_await move(sender.settings.id, request.chat, *failure.migrated_to);
                request.chat = *failure.migrated_to;
                request.reply_to = {}; // message ids begin anew in the supergroup
            } else if (takes_other_form(request, failure.objection)) {
                log_objection(sender.settings.id, failure.objection);
            } else if (failure.objection == objection::length) {
                log_objection(sender.settings.id, failure.objection);
                co_return co_await send_shorter(sender, std::move(request), until);
            } else {
                co_await note(sender, request.chat, failure.cause);
                co_return failure.cause;
            }
            if (!is_time_for(longest_send, until)) co_return out_of_time();
        }
    }

    // A text that Telegram finds too long, in several messages; the id is the first one's.
    base::awaitable<base::result<telegram_message_id>> send_shorter(
        bot& sender, send_request request, base::steady_time until
    ) {
        auto const parts = split_content(std::move(request.content), shorter_limit);
        telegram_message_id first{};
        for (std::size_t part = 0; part < parts.size(); ++part) {
            request.content = parts[part];
            auto message_id = co_await send_part(sender, request, until);
            if (!message_id) {
                co_await note(sender, request.chat, message_id.error().cause);
                if (part == 0) co_return message_id.error().cause;
                // Trying again would repeat what is there: that is for the effect's class to decide.
                co_return base::error(
                    errc::ambiguous, "sent in part: " + base::to_string(message_id.error().cause)
                );
            }
            if (part == 0) first = *message_id;
            request.reply_to = {};
        }
        co_return first;
    }

    base::awaitable<api_result<telegram_message_id>> send_part(
        bot& sender, send_request request, base::steady_time until
    ) {
        for (;;) {
            if (!is_time_for(longest_send, until))
                co_return api_failure{out_of_time(), objection::none, {}};
            auto sent = co_await sender.api->send_message(request);
            if (sent || !takes_other_form(request, sent.error().objection)) co_return sent;
            log_objection(sender.settings.id, sent.error().objection);
        }
    }

    base::awaitable<void> move(bot_id bot, chat_id old_chat, chat_id new_chat) {
        moves_.note(bot, old_chat, new_chat);
        log_unstored(
            "migration",
            bot,
            co_await storage::store_migration(db_, bot, old_chat, new_chat, delivery_deadline)
        );
    }

    base::awaitable<void> note(
        bot& sender, chat_id chat, base::error const& cause, chat_mark mark = chat_mark::blocked
    ) {
        auto const bot = sender.settings.id;
        if (cause == errc::unauthorized) {
            sender.breaker->trip(cause.detail);
        } else if (cause == errc::rate_limited && cause.retry_after) {
            auto const delay = *cause.retry_after;
            hold(bot, chat, delay);
            log_unstored(
                "delay",
                bot,
                co_await storage::store_send_delay(db_, bot, chat, delay, delivery_deadline)
            );
        } else if (cause == errc::refused && mark == chat_mark::blocked) {
            log_unstored(
                "block", bot, co_await storage::store_blocked(db_, bot, chat, delivery_deadline)
            );
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
    send_delays delays_;
    administrators administrators_;
};

} // namespace

std::unique_ptr<telegram_messenger> make_messenger(
    bot_list const& bots, chat_moves& moves, base::clock& clock, storage::database& db
) {
    return std::make_unique<bot_messenger>(bots, moves, clock, db);
}

} // namespace postrider::telegram
