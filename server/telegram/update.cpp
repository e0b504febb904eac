#include "server/telegram/update.hpp"

#include "base/json/json.hpp"
#include "base/json/nul.hpp"
#include "base/utf8.hpp"
#include "server/telegram/attachments.hpp"
#include "server/telegram/author.hpp"
#include "server/telegram/bot_api_bodies.hpp"
#include "server/telegram/group_content.hpp"
#include "server/telegram/json_scanner.hpp"

#include <algorithm>

namespace postrider::telegram {

namespace {

using base::errc;
using base::has_nul;
using base::json_reader;

person read_person(json_reader const& object) {
    person person;
    person.id = user_id{object["id"].int64()};
    person.is_bot = object["is_bot"].boolean_or(false);
    person.name = object["first_name"].string_or("");
    if (auto last = object["last_name"].string_or(""); !last.empty()) person.name += " " + last;
    person.username = object["username"].string_or("");
    person.language = object["language_code"].string_or("");
    return person;
}

place read_place(json_reader const& chat) {
    return {chat_id{chat["id"].int64()}, chat["type"].string_or("") == "private"};
}

std::optional<user_id> read_user_id(json_reader const& user) {
    if (!user) return std::nullopt;
    return user_id{user["id"].int64()};
}

// Telegram gives every message of a forum topic the topic's first one as its reply target.
bool starts_topic(json_reader const& replied) {
    return static_cast<bool>(replied["forum_topic_created"]);
}

// Telegram has each photo in several sizes; models reduce what is larger than this by themselves. Where all
// are larger it is the smallest.
constexpr std::int64_t largest_side = 2000;

std::string find_photo(json_reader const& sizes) {
    std::string best;
    std::int64_t best_side = 0;
    bool best_fits = false;
    for (auto const& size : sizes.items_or_none()) {
        auto const side = std::max(size["width"].int64_or(0), size["height"].int64_or(0));
        bool const fits = side <= largest_side &&
                          size["file_size"].int64_or(0) <= std::int64_t{agent::most_image_bytes};
        bool const is_better = best.empty() || (fits ? !best_fits || side > best_side
                                                     : !best_fits && side < best_side);
        if (!is_better) continue;
        best = size["file_id"].string_or("");
        best_side = side;
        best_fits = fits;
    }
    return best;
}

// Sent as a file, so that it is not reduced. One that Telegram does not give is a file that nobody can read.
std::string find_image_document(json_reader const& document) {
    bool const is_image = document["mime_type"].string_or("").starts_with("image/") &&
                          document["file_size"].int64_or(0) <= agent::most_loaded_bytes;
    return is_image ? document["file_id"].string_or("") : std::string();
}

std::vector<agent::image_source> read_images(json_reader const& message) {
    auto file = find_photo(message["photo"]);
    // An animation comes as a document, too.
    if (file.empty() && !message["animation"]) file = find_image_document(message["document"]);
    std::vector<agent::image_source> images;
    if (!file.empty()) images.push_back({.file = std::move(file)});
    return images;
}

// Telegram sends 100 at most; each is looked for in the text.
constexpr std::size_t most_marks = 100;

std::vector<text_mark> read_marks(json_reader const& entities) {
    std::vector<text_mark> marks;
    for (auto const& entity : entities.items_or_none()) {
        if (marks.size() == most_marks) break;
        auto const type = entity["type"].string_or("");
        if (type != "mention" && type != "bot_command") continue;
        marks.push_back({entity["offset"].int64_or(0), entity["length"].int64_or(0)});
    }
    return marks;
}

// The message that another one replies to, in words.
std::string words_of(json_reader const& replied) {
    for (auto const* member : {"text", "caption"})
        if (auto text = replied[member].string_or(""); !text.empty()) return text;
    if (!read_images(replied).empty()) return "(image)";
    auto const attachment = read_attachment(replied);
    return attachment.empty() ? std::string() : "(" + attachment + ")";
}

// Of another chat, or a story, Telegram gives the author, media, and the words that the sender quotes.
std::string read_replied_elsewhere(json_reader const& root, message& m) {
    if (auto const replied = root["external_reply"]) {
        m.replied_by = name_of_origin(replied["origin"]);
        auto const words = words_of(replied);
        return words.empty() ? "(message of another chat)" : words;
    }
    auto const story = root["reply_to_story"];
    if (!story) return {};
    m.replied_by = story["chat"]["title"].string_or("");
    if (m.replied_by.empty()) m.replied_by = name_of(story["chat"]);
    return "(story)";
}

std::string read_replied_here(json_reader const& replied, message& m) {
    if (auto const id = replied["message_id"].int64_or(0); id > 0)
        m.replied = telegram_message_id{id};
    m.reply_to = read_user_id(replied["from"]);
    if (auto const from = replied["from"]) m.replied_by = name_of(from);
    m.replied_file = read_file(replied);
    m.replied_album = replied["media_group_id"].string_or("");
    return words_of(replied);
}

void read_replied(json_reader const& root, message& m) {
    auto const here = root["reply_to_message"];
    bool const is_here = here && !starts_topic(here);
    auto const whole = is_here ? read_replied_here(here, m) : read_replied_elsewhere(root, m);
    auto const quoted = root["quote"]["text"].string_or("");
    m.replied_text = base::shortened(quoted.empty() ? whole : quoted, longest_quote);
}

message read_message(json_reader const& root) {
    message m;
    m.id = telegram_message_id{root["message_id"].int64()};
    m.where = read_place(root["chat"]);
    // message_thread_id also marks threads of replies in ordinary groups: only a topic is a place.
    if (root["is_topic_message"].boolean_or(false))
        m.thread = thread_id{root["message_thread_id"].int64_or(0)};
    if (auto from = root["from"]) m.from = read_person(from);
    if (auto const chat = root["sender_chat"])
        m.as_chat = sender_chat{chat_id{chat["id"].int64_or(0)}, chat["title"].string_or("")};
    m.date = root["date"].int64_or(0);
    m.edited = root["edit_date"].int64_or(0);
    for (auto const* member : {"text", "caption"})
        if (!m.text && root[member]) m.text = root[member].string();
    m.marks = read_marks(root[root["text"] ? "entities" : "caption_entities"]);
    m.images = read_images(root);
    m.file = read_file(root);
    if (auto to = root["migrate_to_chat_id"]) m.migrated_to = chat_id{to.int64()};
    if (m.images.empty()) m.attachment = read_attachment(root);
    for (auto const* member : {"voice", "audio"})
        if (auto const recording = root[member]) m.spoken = recording["duration"].int64_or(0);
    m.is_said = !m.attachment.empty() && says_all(root);
    m.album = root["media_group_id"].string_or("");
    read_replied(root, m);
    m.via_bot = read_user_id(root["via_bot"]);
    m.is_of_business_bot = static_cast<bool>(root["sender_business_bot"]);
    m.author = read_author(root);
    m.seen = read_group_message(root);
    m.service = !m.seen.service.empty();
    return m;
}

// The person who pressed waits for an answer, whatever the button's data and their name hold.
button_press read_press(json_reader const& root) {
    button_press press;
    press.query = root["id"].string();
    press.from = read_person(root["from"]);
    press.from.name = base::replace_nul(press.from.name);
    press.from.username = base::replace_nul(press.from.username);
    if (auto m = root["message"]) {
        press.where = read_place(m["chat"]);
        press.message = telegram_message_id{m["message_id"].int64_or(0)};
        if (m["is_topic_message"].boolean_or(false))
            press.thread = thread_id{m["message_thread_id"].int64_or(0)};
        press.shown = m["text"].string_or("");
    }
    auto data = root["data"].string_or("");
    if (!has_nul(data)) press.data = std::move(data); // else it is of no button of ours
    return press;
}

member_change read_member_change(json_reader const& root, bool is_own) {
    member_change change;
    change.where = read_place(root["chat"]);
    change.by = read_person(root["from"]);
    change.member = read_person(root["new_chat_member"]["user"]);
    change.now = standing_of(root["new_chat_member"]);
    if (auto const before = root["old_chat_member"]) change.before = standing_of(before);
    change.is_own = is_own;
    return change;
}

// A reaction's own word, or what kind it is.
std::vector<std::string> read_reactions(json_reader const& reactions) {
    std::vector<std::string> result;
    for (auto const& reaction : reactions.items_or_none()) {
        auto const emoji = reaction["emoji"].string_or("");
        auto const custom = reaction["custom_emoji_id"].string_or("");
        result.push_back(
            !emoji.empty()    ? emoji
            : !custom.empty() ? "custom:" + custom
                              : reaction["type"].string_or("")
        );
    }
    return result;
}

reaction_update read_reaction(json_reader const& root) {
    reaction_update update{read_place(root["chat"]), {}};
    update.change.message = telegram_message_id{root["message_id"].int64()};
    update.change.person = read_named_person(root["user"]);
    if (auto const chat = root["actor_chat"]) {
        update.change.chat = chat_id{chat["id"].int64_or(0)};
        update.change.person.name = chat["title"].string_or("");
    }
    update.change.before = read_reactions(root["old_reaction"]);
    update.change.now = read_reactions(root["new_reaction"]);
    update.change.date = root["date"].int64_or(0);
    return update;
}

join_update read_join(json_reader const& root) {
    join_update update{read_place(root["chat"]), {}};
    update.request.person = read_named_person(root["from"]);
    update.request.language = root["from"]["language_code"].string_or("");
    update.request.bio = root["bio"].string_or("");
    return update;
}

deleted_messages read_deleted(json_reader const& root) {
    deleted_messages deleted{read_place(root["chat"]), {}};
    for (auto const& message : root["message_ids"].items())
        deleted.messages.push_back(telegram_message_id{message.int64()});
    return deleted;
}

// What happened in a chat of a business account.
bool read_of_business(json_reader const& root, update& u) {
    if (auto m = root["business_message"]) {
        u.content = new_message{read_message(m)};
        u.business = m["business_connection_id"].string();
    } else if (auto edited = root["edited_business_message"]) {
        u.content = edited_message{read_message(edited)};
        u.business = edited["business_connection_id"].string();
    } else if (auto deleted = root["deleted_business_messages"]) {
        u.content = read_deleted(deleted);
        u.business = deleted["business_connection_id"].string();
    }
    return !u.business.empty();
}

std::string other_member(base::json::object const& root) {
    for (auto const& member : root)
        if (member.key() != "update_id" && !member.value().is_null()) return member.key();
    return "";
}

update read_update(json_reader const& root, base::json::object const& object) {
    update u{update_id{root["update_id"].int64()}, other_update{}};
    if (read_of_business(root, u)) return u;
    if (auto m = root["message"]) {
        u.content = new_message{read_message(m)};
    } else if (auto edited = root["edited_message"]) {
        u.content = edited_message{read_message(edited)};
    } else if (auto press = root["callback_query"]) {
        u.content = read_press(press);
    } else if (auto own = root["my_chat_member"]) {
        u.content = read_member_change(own, true);
    } else if (auto change = root["chat_member"]) {
        u.content = read_member_change(change, false);
    } else if (auto reaction = root["message_reaction"]) {
        u.content = read_reaction(reaction);
    } else if (auto join = root["chat_join_request"]) {
        u.content = read_join(join);
    } else if (auto change_of_business = root["business_connection"]) {
        u.content = read_business_change(change_of_business);
    } else if (auto stopped = root["stopped_message_generation"]) {
        u.content = stopped_draft{read_place(stopped["chat"]), stopped["draft_id"].int64()};
    } else {
        u.content = other_update{other_member(object)};
    }
    return u;
}

bool has_nul(person const& person) {
    return has_nul(person.name) || has_nul(person.username) || has_nul(person.language);
}

bool has_nul(std::optional<agent::message_file> const& file) {
    return file && (has_nul(file->source) || has_nul(file->name) || has_nul(file->mime));
}

bool has_nul(message const& m) {
    bool const in_file =
        std::ranges::any_of(m.images, [](auto const& image) { return has_nul(image.file); });
    return in_file || has_nul(m.file) || has_nul(m.replied_file) || (m.text && has_nul(*m.text)) ||
           (m.from && has_nul(*m.from)) || (m.as_chat && has_nul(m.as_chat->title)) ||
           has_nul(m.replied_by) || has_nul(m.replied_text) || has_nul(m.replied_album) ||
           has_nul(m.album) || telegram::has_nul(m.author) ||
           base::holds_nul(agent::to_json(m.seen));
}

struct holds_null {
    bool operator()(new_message const& m) const { return has_nul(m.message); }
    bool operator()(edited_message const& m) const { return has_nul(m.message); }
    bool operator()(button_press const& press) const { return has_nul(press.query); }
    bool operator()(member_change const& change) const {
        return has_nul(change.by) || has_nul(change.member);
    }
    bool operator()(reaction_update const& reaction) const {
        return base::holds_nul(agent::event_json(reaction.change));
    }
    bool operator()(join_update const& join) const {
        return base::holds_nul(agent::event_json(join.request));
    }
    bool operator()(deleted_messages const&) const { return false; }
    bool operator()(stopped_draft const&) const { return false; }
    bool operator()(business_change const& change) const { return has_nul(change.connection); }
    bool operator()(other_update const& other) const { return has_nul(other.member); }
};

} // namespace

business_change read_business_change(json_reader const& root) {
    business_change change;
    change.connection = root["id"].string();
    change.account = user_id{root["user"]["id"].int64()};
    change.date = root["date"].int64_or(0);
    change.is_enabled = root["is_enabled"].boolean_or(false);
    change.may_reply = root["rights"]["can_reply"].boolean_or(false);
    return change;
}

parsed_update parse_update(std::string_view body) {
    auto json = base::parse_json(body);
    if (!json) {
        auto const outline = outline_update(body);
        if (!outline.json || !outline.update_id) return not_an_update{};
        return unusable_update{update_id{*outline.update_id}, json.error()};
    }
    if (!json->is_object()) return not_an_update{};
    json_reader id_reader{*json};
    auto const id = update_id{id_reader["update_id"].int64()};
    if (id_reader.failed()) return not_an_update{};

    json_reader root{*json};
    auto read = read_update(root, json->get_object());
    if (root.failed()) return unusable_update{id, root.failure()};
    if (std::visit(holds_null{}, read.content) || has_nul(read.business))
        return unusable_update{id, base::nul_refusal("a text")};
    return read;
}

parsed_update parse_cut_update(std::string_view beginning) {
    auto const outline = outline_update(beginning, true);
    if (!outline.json || !outline.update_id) return not_an_update{};
    return unusable_update{
        update_id{*outline.update_id}, {errc::too_large, "an update beyond the size limit"}};
}

} // namespace postrider::telegram
