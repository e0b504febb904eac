#include "server/telegram/disposition.hpp"

#include "agent/language/command.hpp"
#include "agent/language/lexicon.hpp"
#include "net/http.hpp"
#include "server/telegram/business.hpp"
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

bool is_written_down(message const& m, bot_settings const& bot) {
    return m.file && m.file->bytes <= agent::most_loaded_bytes && m.spoken &&
           bot.longest_speech.count() > 0 && *m.spoken <= bot.longest_speech.count();
}

// What comes without words and is understood all the same: a sticker, a file whose text an agent reads, speech.
bool is_understood(message const& m, bot_settings const& bot) {
    if (m.is_said || is_written_down(m, bot)) return true;
    return m.file && !m.attachment.empty() && !agent::readable_as(*m.file).empty();
}

std::string words_of_attachment(message const& m) {
    return "(" + m.attachment + ")";
}

bool addressed(message const& m, bot_settings const& bot) {
    auto const written = m.text ? std::string_view(*m.text) : std::string_view();
    return m.where.is_private || m.reply_to == bot.self || mentions(written, bot.username) ||
           commands(written, bot.username);
}

// Of the person's Telegram: "" where the product does not speak it.
std::string usual_language_of(person const& sender) {
    auto const code = sender.language.substr(0, sender.language.find('-'));
    auto const* lexicon = agent::language::find_lexicon(code);
    return lexicon ? lexicon->code : std::string();
}

to_nothing refused(std::optional<person> const& sender, bool as_chat, chat_id chat) {
    to_nothing ignored{"allowlist", {}, {}};
    if (sender && !as_chat) ignored.stranger = refused_sender{sender->id, chat, sender->name};
    return ignored;
}

// What nobody can be held to asks for the user: a command of theirs stays nobody's.
bool is_heard_as_chat(message const& m, bot_settings const& bot, bool is_command) {
    return bot.anonymous_admins && !is_command && m.as_chat && m.as_chat->id == m.where.id &&
           bot.allowlist.chats.contains(m.where.id);
}

// The rule by which a message is ignored, whether it is new or edited.
std::optional<to_nothing> ignore(message const& m, std::string_view text, bot_settings const& bot) {
    // Whoever did it: the group was allowed, and goes on under another id.
    if (m.migrated_to && bot.allowlist.chats.contains(m.where.id))
        return to_nothing{"service_message", {}, moved_chat{m.where.id, *m.migrated_to}};
    if (m.from && m.from->id == bot.self && !m.as_chat) return to_nothing{"own", {}, {}};
    bool const command = commands(text, bot.username);
    if (!is_heard_as_chat(m, bot, command)) {
        auto const kind = command ? message_kind::command : message_kind::text;
        if (!allowed(bot.allowlist, m, kind))
            return refused(m.from, m.as_chat.has_value(), m.where.id);
        if (m.from->is_bot) return to_nothing{"from_bot", {}, {}};
    }
    if (m.service) return to_nothing{"service_message", {}, {}};
    if (text.empty()) return to_nothing{std::string(no_text_rule), {}, {}};
    return std::nullopt;
}

circumstances circumstances_of(message const& m) {
    circumstances around{m.from ? m.from->name : "", m.replied, {}, {}, m.author};
    if (m.as_chat) {
        around.sender = m.as_chat->title;
        around.sender_chat = m.as_chat->id;
    }
    if (m.date > 0 && m.date < end_of_time) around.sent_at.emplace(std::chrono::seconds{m.date});
    return around;
}

agent::flow::forwarded_message forwarded_of(storage::message_forward const& forward) {
    agent::flow::forwarded_message forwarded;
    forwarded.name = forward.name;
    forwarded.is_chat = forward.kind != "user" && forward.kind != "hidden_user";
    if (!forwarded.is_chat) forwarded.user = user_id{forward.id.value_or(0)};
    return forwarded;
}

agent::flow::heard_message heard_of(message const& m, bot_settings const& bot) {
    agent::flow::heard_message result{
        {bot.id, m.where.id, m.thread},
        m.from ? m.from->id : user_id{},
        m.id,
        m.images,
        addressed(m, bot)};
    if (!is_understood(m, bot)) result.attachment = m.attachment;
    result.is_spoken = is_written_down(m, bot);
    if (result.is_spoken) result.length = std::chrono::seconds{*m.spoken};
    result.of_album = !m.album.empty();
    result.file = m.file;
    result.wordless = !m.text || m.text->empty();
    if (m.author.forward) result.forwarded = forwarded_of(*m.author.forward);
    if (m.from) result.usual_language = usual_language_of(*m.from);
    if (m.replied_text.empty()) return result;
    // 0 = a channel, or somebody whom Telegram does not name.
    auto const replied_user = m.reply_to.value_or(m.author.reply_user.value_or(user_id{}));
    result.replied = {
        replied_user, m.replied_by, replied_user == bot.self, m.replied_text, m.replied_file};
    result.replied->message = m.replied.value_or(telegram_message_id{});
    result.replied->album = m.replied_album;
    return result;
}

struct decision {
    bot_settings const& bot;
    update_id update;

    // What is nothing but something that is not understood, where somebody waits for an answer.
    static bool to_explain(message const& m, to_nothing const& nothing) {
        return nothing.rule == no_text_rule && m.where.is_private && !m.attachment.empty();
    }

    // Of an album that is said to the bot in a group, one part has the words.
    static bool may_join(message const& m, to_nothing const& nothing) {
        return nothing.rule == no_text_rule && !m.album.empty() && !m.attachment.empty();
    }

    disposition operator()(new_message const& u) const {
        auto const& m = u.message;
        auto text = text_of(m, bot);
        if (text.empty() && is_understood(m, bot)) text = words_of_attachment(m);
        auto const nothing = ignore(m, text, bot);
        bool const explains = nothing && to_explain(m, *nothing);
        bool const only_joins = nothing && !explains && may_join(m, *nothing);
        if (nothing && !explains && !only_joins) return *nothing;
        if (nothing) text = words_of_attachment(m);
        auto job = job_of(m, bot);
        job.only_joins = only_joins;
        // An owner is heard in any group, but does not open it to be listened to.
        if (!job.heard.addressed && !bot.allowlist.chats.contains(m.where.id))
            return to_nothing{std::string(not_addressed_rule), {}, {}};
        job.text = std::move(text);
        job.command = explains ? agent::unread_message.name : command_in(job.text, bot);
        return job;
    }

    disposition operator()(edited_message const& u) const {
        auto const& m = u.message;
        auto text = text_of(m, bot);
        if (auto nothing = ignore(m, text, bot)) return *nothing;
        return edit_of(m, update, bot);
    }

    disposition operator()(button_press const& press) const {
        if (auto caught = catch_of(press)) return std::move(*caught);
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

    // Of a group's administrators the allowlist need not know.
    std::optional<to_catch_press> catch_of(button_press const& press) const {
        auto const choice = agent::read_catch_button(press.data);
        if (!choice || !press.where) return std::nullopt;
        auto const chat = choice->key.chat; // also of a button from before it was a supergroup
        bool const is_served =
            bot.allowlist.chats.contains(chat) || bot.allowlist.former.contains(chat);
        if (!is_served) return std::nullopt;
        to_catch_press result;
        result.choice = *choice;
        result.press = {press.from.id, press.from.name, press.message, {}, press.query};
        result.at = {bot.id, press.where->id, press.thread};
        result.is_owner = bot.allowlist.owners.contains(press.from.id);
        return result;
    }

    disposition operator()(member_change const& change) const {
        bool const listens = change.where.is_private
                                 ? knows(change.by.id)
                                 : bot.allowlist.chats.contains(change.where.id);
        if (!listens) return to_nothing{"allowlist", {}, {}};
        return event_of(change, bot);
    }

    // No group is watched for them (group_watch.hpp).
    disposition operator()(reaction_update const& reacted) const {
        auto const& change = reacted.change;
        auto const user = change.person.user;
        if (!bot.reactions || user == user_id{}) return to_nothing{"kind:message_reaction", {}, {}};
        bool const listens =
            reacted.where.is_private ? knows(user) : bot.allowlist.chats.contains(reacted.where.id);
        if (!listens) return to_nothing{"allowlist", {}, {}};
        return to_reaction{{bot.id, reacted.where.id, {}}, change.message, user, change.now};
    }
    disposition operator()(join_update const&) const {
        return to_nothing{"kind:chat_join_request", {}, {}};
    }

    // A private chat is the business account's own with that person: its numbers are others than those of the
    // bot's chat with them, and none of its messages is here.
    disposition operator()(deleted_messages const& deleted) const {
        auto const chat = deleted.where.id;
        if (!agent::is_business(chat)) return to_nothing{"business:unplaced", {}, {}};
        return to_removal{{bot.id, chat, {}}, deleted.messages};
    }

    disposition operator()(stopped_draft const& stopped) const {
        auto const chat = stopped.where.id;
        if (!stopped.where.is_private || !knows(user_id{base::raw(chat)}))
            return to_nothing{"allowlist", {}, {}};
        return to_stop{{bot.id, chat, {}}, stopped.number};
    }

    disposition operator()(business_change const& change) const {
        if (!serves_business(bot, change.account)) return to_nothing{"business:account", {}, {}};
        return to_connection{connection_of(bot.id, change)};
    }

    bool knows(user_id user) const {
        return bot.allowlist.users.contains(user) || bot.allowlist.owners.contains(user);
    }

    disposition operator()(other_update const& other) const {
        return to_nothing{"kind:" + other.member, {}, {}};
    }
};

} // namespace

to_job job_of(message const& m, bot_settings const& bot) {
    to_job job;
    job.heard = heard_of(m, bot);
    job.agent = bot.agent;
    job.text = text_of(m, bot);
    job.lane_key = agent::own_lane_key(job.heard.from);
    job.manner = bot.manner;
    job.circumstances = circumstances_of(m);
    job.album = m.album;
    return job;
}

to_edit edit_of(message const& m, update_id update, bot_settings const& bot) {
    agent::address const at{bot.id, m.where.id, m.thread};
    to_edit result{{at, m.id, text_of(m, bot)}, agent::own_lane_key(at)};
    if (m.edited > 0) result.edit.order = {m.edited, update};
    return result;
}

to_member_event event_of(member_change const& change, bot_settings const& bot) {
    to_member_event result;
    result.change.at = {bot.id, change.where.id, {}};
    result.change.user = change.member.id;
    result.change.name = change.member.name;
    result.change.before = change.before;
    result.change.now = change.now;
    result.change.by = change.by.id;
    return result;
}

disposition decide(update const& u, bot_settings const& bot) {
    return std::visit(decision{bot, u.id}, u.content);
}

} // namespace postrider::telegram
