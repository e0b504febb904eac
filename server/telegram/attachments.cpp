#include "server/telegram/attachments.hpp"

#include "base/json/text.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace postrider::telegram {

namespace {

constexpr std::size_t longest_file_name = 200; // bytes
constexpr std::size_t longest_part = 300;      // likewise, of what is said beside a name
constexpr std::size_t most_listed = 20;        // options of a poll, or tasks

using details_reader = std::string (*)(base::json_reader const& attachment);

struct attachment_kind {
    char const* member;
    std::string_view words;
    char const* name = nullptr;       // the member of it that names it
    details_reader details = nullptr; // what is said behind the name
    bool is_said = false;             // the words are all that there is to it
};

std::string in_quotes(std::string_view text) {
    return base::json_text(base::json::value(base::shortened(text, longest_part)));
}

std::string position_of(base::json_reader const& location) {
    return fmt::format(
        " {}, {}", location["latitude"].number_or(0), location["longitude"].number_or(0)
    );
}

std::string details_of_venue(base::json_reader const& venue) {
    auto const address = venue["address"].string_or("");
    return (address.empty() ? "" : ", " + in_quotes(address)) + "," +
           position_of(venue["location"]);
}

std::string details_of_contact(base::json_reader const& contact) {
    std::string details;
    if (auto const last = contact["last_name"].string_or(""); !last.empty())
        details += " " + in_quotes(last);
    if (auto const number = contact["phone_number"].string_or(""); !number.empty())
        details += ", phone " + in_quotes(number);
    return details;
}

std::string listed(base::json_reader const& list) {
    std::string texts;
    std::size_t count = 0;
    for (auto const& entry : list.items_or_none()) {
        if (++count > most_listed) break;
        texts += (texts.empty() ? ": " : ", ") + in_quotes(entry["text"].string_or(""));
    }
    return texts;
}

std::string details_of_poll(base::json_reader const& poll) {
    return listed(poll["options"]);
}

std::string details_of_checklist(base::json_reader const& checklist) {
    return listed(checklist["tasks"]);
}

std::string details_of_dice(base::json_reader const& dice) {
    auto const value = dice["value"].int64_or(0);
    return value > 0 ? fmt::format(", which shows {}", value) : std::string();
}

// An animation comes as a document, too, and a venue as a location.
constexpr attachment_kind attachment_kinds[]{
    {"voice", "voice message"},
    {"video_note", "video message"},
    {"animation", "animation"},
    {"video", "video", "file_name"},
    {"audio", "audio file", "title"},
    {"sticker", "sticker", "emoji", nullptr, true},
    {"venue", "place", "title", details_of_venue, true},
    {"location", "location", nullptr, position_of, true},
    {"contact", "contact", "first_name", details_of_contact, true},
    {"poll", "poll", "question", details_of_poll, true},
    {"dice", "dice", "emoji", details_of_dice, true},
    {"story", "story"},
    {"game", "game", "title"},
    {"invoice", "invoice", "title"},
    {"paid_media", "paid media"},
    {"checklist", "checklist", "title", details_of_checklist, true},
    {"giveaway", "giveaway"},
    {"giveaway_winners", "giveaway"},
    {"document", "file", "file_name"},
};

std::string named(std::string_view words, std::string_view name) {
    if (name.empty()) return std::string(words);
    base::json::value const quoted_name(base::shortened(name, longest_file_name));
    return fmt::format("{} {}", words, base::json_text(quoted_name));
}

attachment_kind const* kind_of(base::json_reader const& message) {
    auto const* kind =
        std::ranges::find_if(attachment_kinds, [&](attachment_kind const& candidate) {
            return static_cast<bool>(message[candidate.member]);
        });
    return kind == std::end(attachment_kinds) ? nullptr : kind;
}

// What Telegram says nothing of itself.
struct file_kind {
    char const* member;
    std::string_view name;
    std::string_view mime;
};

constexpr file_kind file_kinds[]{
    {"document", "file", "application/octet-stream"},
    {"video", "video.mp4", "video/mp4"},
    {"audio", "audio.mp3", "audio/mpeg"},
    {"voice", "voice.ogg", "audio/ogg"},
    {"video_note", "video.mp4", "video/mp4"},
};

agent::message_file file_of(base::json_reader const& object, file_kind const& kind) {
    agent::message_file file;
    file.source = object["file_id"].string_or("");
    file.name = base::shortened(object["file_name"].string_or(kind.name), longest_file_name);
    file.mime = base::shortened(object["mime_type"].string_or(kind.mime), longest_file_name);
    file.bytes = object["file_size"].int64_or(0);
    return file;
}

std::optional<agent::message_file> largest_photo(base::json_reader const& sizes) {
    constexpr file_kind photo{"photo", "photo.jpg", "image/jpeg"};
    std::optional<agent::message_file> largest;
    std::int64_t longest = -1;
    for (auto const& size : sizes.items_or_none()) {
        auto const side = std::max(size["width"].int64_or(0), size["height"].int64_or(0));
        if (side <= longest) continue;
        longest = side;
        largest = file_of(size, photo);
    }
    return largest;
}

} // namespace

std::string read_attachment(base::json_reader const& message) {
    auto const* kind = kind_of(message);
    if (!kind) return {};
    auto const attachment = message[kind->member];
    auto const name = kind->name ? attachment[kind->name].string_or("") : std::string();
    return named(kind->words, name) + (kind->details ? kind->details(attachment) : std::string());
}

bool says_all(base::json_reader const& message) {
    auto const* kind = kind_of(message);
    return kind && kind->is_said;
}

std::string read_media_kind(base::json_reader const& message) {
    if (message["photo"]) return "photo";
    auto const* kind = kind_of(message);
    return kind ? kind->member : std::string();
}

std::optional<agent::message_file> read_file(base::json_reader const& message) {
    auto file = largest_photo(message["photo"]);
    for (auto const& kind : file_kinds)
        if (!file && message[kind.member]) file = file_of(message[kind.member], kind);
    if (file && file->source.empty()) file.reset();
    return file;
}

} // namespace postrider::telegram
