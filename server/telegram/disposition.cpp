#include "server/telegram/disposition.hpp"

#include "agent/language/command.hpp"
#include "agent/language/lexicon.hpp"
#include "net/http.hpp"
#include "server/telegram/own_mention.hpp"

namespace postrider::telegram {

namespace {

constexpr std::int64_t end_of_time = 253'402'300'800; // the year 10000: no Postgres refuses it

bool name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool mentions(std::string_view text, std::string_view username) {
    if (username.empty()) return false;
    for (auto at = text.find('@'); at != text.npos; at = text.find('@', at + 1)) {
        auto const here = text.substr(at + 1, username.size());
        auto const after = at + 1 + username.size();
        bool const whole = after >= text.size() || !name_character(text[after]);
        bool const starts = at == 0 || !name_character(text[at - 1]); // else a mail address
        if (starts && whole && net::equals_without_case(here, username)) return true;
    }
    return false;
}

// "/ask" or "/ask@our_bot", not "/ask@another_bot".
bool commands(std::string_view text, std::string_view username) {
    if (text.size() < 2 || text[0] != '/' || !name_character(text[1])) return false;
    std::size_t end = 1;
    while (end < text.size() && name_character(text[end])) ++end;
    if (end == text.size() || text[end] != '@') return true;
    auto const named = text.substr(end + 1, username.size());
    auto const after = end + 1 + username.size();
    bool const whole = after >= text.size() || !name_character(text[after]);
    return whole && !username.empty() && net::equals_without_case(named, username);
}

std::string command_in(std::string_view text, bot_settings const& bot) {
    return commands(text, bot.username) ? agent::command_of(text) : std::string();
}

// What is stored, and what every reader gets. Who may command is decided by it too: "@fern_bot /ask" reads
// as a command, so it takes the right to one.
std::string text_of(message const& m, bot_settings const& bot) {
    if (m.text && !m.text->empty()) return without_own_mention(*m.text, m.marks, bot.username);
    return std::string(m.images.empty() ? "" : image_without_words);
}

bool addressed(message const& m, bot_settings const& bot) {
    auto const written = m.text ? std::string_view(*m.text) : std::string_view();
    return m.where.is_private || m.reply_to == bot.self || mentions(written, bot.username) ||
           commands(written, bot.username);
}

// Of the person's Telegram: "" where the product does not speak it.
std::string usual_language_of(person const& from) {
    auto const code = from.language.substr(0, from.language.find('-'));
    auto const* known = agent::language::find_lexicon(code);
    return known ? known->code : std::string();
}

to_nothing refused(std::optional<person> const& sender, bool as_chat, chat_id chat) {
    to_nothing ignored{"allowlist", {}, {}};
    if (sender && !as_chat) ignored.stranger = refused_sender{sender->id, chat, sender->name};
    return ignored;
}

// The rule by which a message is ignored, whether it is new or edited.
std::optional<to_nothing> ignore(message const& m, std::string_view text, bot_settings const& bot) {
    // Whoever did it: the group was allowed, and goes on under another id.
    if (m.migrated_to && bot.allowlist.chats.contains(m.where.id))
        return to_nothing{"service_message", {}, moved_chat{m.where.id, *m.migrated_to}};
    if (m.from && m.from->id == bot.self && !m.as_chat) return to_nothing{"own", {}, {}};
    bool const command = commands(text, bot.username);
    if (!allowed(bot.allowlist, m, command ? message_kind::command : message_kind::text))
        return refused(m.from, m.as_chat.has_value(), m.where.id);
    if (m.from->is_bot) return to_nothing{"from_bot", {}, {}};
    if (m.service) return to_nothing{"service_message", {}, {}};
    if (text.empty()) return to_nothing{std::string(no_text_rule), {}, {}};
    return std::nullopt;
}

circumstances circumstances_of(message const& m) {
    circumstances around{m.from->name, m.replied, {}, {}, m.author};
    if (m.as_chat) {
        around.sender = m.as_chat->title;
        around.sender_chat = m.as_chat->id;
    }
    if (m.date > 0 && m.date < end_of_time) around.sent_at.emplace(std::chrono::seconds{m.date});
    return around;
}

struct decision {
    bot_settings const& bot;
    update_id update;

    agent::flow::heard_message heard(message const& m) const {
        agent::flow::heard_message result{
            {bot.id, m.where.id, m.thread}, m.from->id, m.id, m.images, addressed(m, bot)};
        result.attachment = m.attachment;
        result.of_album = !m.album.empty();
        result.usual_language = usual_language_of(*m.from);
        if (m.replied_text.empty()) return result;
        // 0 = a channel, or somebody whom Telegram does not name.
        auto const by = m.reply_to.value_or(m.author.reply_user.value_or(user_id{}));
        result.replied = {by, m.replied_by, by == bot.self, m.replied_text};
        return result;
    }

    // What is nothing but something that is not understood, where somebody waits for an answer.
    static bool to_explain(message const& m, to_nothing const& nothing) {
        return nothing.rule == no_text_rule && m.where.is_private && !m.attachment.empty();
    }

    disposition operator()(new_message const& u) const {
        auto const& m = u.message;
        auto text = text_of(m, bot);
        auto const nothing = ignore(m, text, bot);
        bool const explains = nothing && to_explain(m, *nothing);
        if (nothing && !explains) return *nothing;
        if (explains) text = "(" + m.attachment + ")";
        to_job job;
        job.heard = heard(m);
        // An owner is heard in any group, but does not open it to be listened to.
        if (!job.heard.addressed && !bot.allowlist.chats.contains(m.where.id))
            return to_nothing{std::string(not_addressed_rule), {}, {}};
        job.agent = bot.agent;
        job.text = std::move(text);
        job.lane_key = agent::own_lane_key(job.heard.from);
        job.manner = bot.manner;
        job.circumstances = circumstances_of(m);
        job.album = m.album;
        job.has_words = m.text && !m.text->empty();
        job.command = explains ? agent::unread_message.name : command_in(job.text, bot);
        return job;
    }

    disposition operator()(edited_message const& u) const {
        auto const& m = u.message;
        auto text = text_of(m, bot);
        if (auto nothing = ignore(m, text, bot)) return *nothing;
        agent::address const at{bot.id, m.where.id, m.thread};
        to_edit result{{at, m.id, std::move(text)}, agent::own_lane_key(at)};
        if (m.edited > 0) result.edit.order = {m.edited, update};
        return result;
    }

    disposition operator()(button_press const& press) const {
        if (!allowed(bot.allowlist, press))
            return refused(press.from, false, press.where ? press.where->id : chat_id{});
        // Below a message that was sent through the bot elsewhere: no question is asked so.
        if (!press.where) return to_nothing{"inline_message", {}, {}};
        auto read = agent::read_button_data(press.data);
        to_press result;
        result.query = press.query;
        result.at = {bot.id, press.where->id, press.thread};
        result.press = {
            press.from.id, press.from.name, press.message, std::move(read.value), press.query};
        result.question = std::move(read.question);
        result.closes = read.closes;
        result.shown = press.shown;
        result.usual_language = usual_language_of(press.from);
        result.is_owner = bot.allowlist.owners.contains(press.from.id);
        return result;
    }

    disposition operator()(member_change const& change) const {
        bool const listens = change.where.is_private
                                 ? knows(change.by.id)
                                 : bot.allowlist.chats.contains(change.where.id);
        if (!listens) return to_nothing{"allowlist", {}, {}};
        to_member_event result;
        result.change.at = {bot.id, change.where.id, {}};
        result.change.user = change.member.id;
        result.change.name = change.member.name;
        result.change.before = change.before;
        result.change.now = change.now;
        result.change.by = change.by.id;
        return result;
    }

    bool knows(user_id user) const {
        return bot.allowlist.users.contains(user) || bot.allowlist.owners.contains(user);
    }

    disposition operator()(other_update const& other) const {
        return to_nothing{"kind:" + other.member, {}, {}};
    }
};

} // namespace

disposition decide(update const& u, bot_settings const& bot) {
    return std::visit(decision{bot, u.id}, u.content);
}

} // namespace postrider::telegram
