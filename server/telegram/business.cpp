#include "server/telegram/business.hpp"

#include "agent/language/command.hpp"

namespace postrider::telegram {

namespace {

constexpr int rows_of_look = 1; // the stage that gets them

// The customer's own Telegram id, as the update names the chat by it.
struct where_of {
    place operator()(new_message const& u) const { return u.message.where; }
    place operator()(edited_message const& u) const { return u.message.where; }
    place operator()(deleted_messages const& u) const { return u.where; }
    template<class Other>
    place operator()(Other const&) const {
        return {};
    }
};

// Says of the update where it happened: in a chat by its own number, which stands for the customer, too.
struct put_in_place {
    storage::business_chat const& chat;

    user_id number_of(user_id user) const {
        return user == chat.customer ? user_id{base::raw(chat.chat)} : user;
    }
    void put(message& m) const {
        m.where.id = chat.chat;
        if (m.from) m.from->id = number_of(m.from->id);
        if (m.reply_to) m.reply_to = number_of(*m.reply_to);
        if (m.author.reply_user) m.author.reply_user = number_of(*m.author.reply_user);
    }
    void operator()(new_message& u) const { put(u.message); }
    void operator()(edited_message& u) const { put(u.message); }
    void operator()(deleted_messages& u) const { u.where.id = chat.chat; }
    template<class Other>
    void operator()(Other&) const {}
};

// The two who speak there are heard, as nobody else's settings say.
bot_settings settings_there(bot_settings bot, storage::business_chat const& chat) {
    bot.allowlist = {{user_id{base::raw(chat.chat)}, chat.account}, {}};
    bot.anonymous_admins = false;
    return bot;
}

disposition of_message(to_job job, storage::business_chat const& chat) {
    // What nothing can read would be answered by the engine: the owner has not said so.
    if (job.command == agent::unread_message.name)
        return to_nothing{std::string(no_text_rule), {}, {}};
    job.command.clear();
    job.is_said_for_us = job.heard.user == chat.account;
    // What the bot answers there is said by the account.
    if (job.heard.replied) job.heard.replied->own = job.heard.replied->user == chat.account;
    if (!job.is_said_for_us && !chat.may_reply) return to_nothing{"business:no_right", {}, {}};
    return job;
}

} // namespace

bool serves_business(bot_settings const& bot, user_id account) {
    auto const& list = bot.allowlist;
    return bot.business.contains(account) &&
           (list.owners.contains(account) || list.users.contains(account));
}

storage::business_connection connection_of(bot_id bot, business_change const& change) {
    return {
        bot, change.connection, change.account, change.date, change.is_enabled, change.may_reply};
}

disposition decide_in_business(
    update u, bot_settings const& bot, std::optional<storage::business_chat> const& chat
) {
    if (bot.business.empty()) return to_nothing{"business:off", {}, {}};
    if (!chat) return to_nothing{"business:connection", {}, {}};
    if (!serves_business(bot, chat->account)) return to_nothing{"business:account", {}, {}};
    // What the person saves for themselves, and their own chat with the bot.
    if (chat->customer == chat->account || chat->customer == bot.self)
        return to_nothing{"own", {}, {}};
    auto const* arrived = std::get_if<new_message>(&u.content);
    if (arrived && arrived->message.is_of_business_bot) return to_nothing{"own", {}, {}};
    std::visit(put_in_place{*chat}, u.content);
    auto decided = decide(u, settings_there(bot, *chat));
    if (auto* job = std::get_if<to_job>(&decided)) return of_message(std::move(*job), *chat);
    // A stranger would be told of as somebody who may be let in.
    if (auto* nothing = std::get_if<to_nothing>(&decided)) nothing->stranger.reset();
    return decided;
}

business_look::business_look(bot_id bot, update const& u)
    : bot_(bot),
      connection_(u.business),
      customer_{base::raw(std::visit(where_of{}, u.content).id)} {}

std::vector<storage::write> business_look::stage(
    int number, std::vector<storage::rows> const& returned
) {
    if (number == 0) {
        chat_.reset();
        return {storage::find_business_chat(bot_, connection_, customer_)};
    }
    if (number == rows_of_look && !returned.at(0).empty())
        chat_ = storage::read_business_chat(returned.at(0).at(0));
    return {};
}

} // namespace postrider::telegram
