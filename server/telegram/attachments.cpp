#include "server/telegram/attachments.hpp"

#include "base/json/text.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace postrider::telegram {

namespace {

constexpr std::size_t longest_name = 200; // bytes

struct attachment_kind {
    char const* member;
    std::string_view words;
    char const* name = nullptr; // the member of it that names it
};

// An animation comes as a document, too, and a venue as a location.
constexpr attachment_kind attachment_kinds[]{
    {"voice", "voice message"},
    {"video_note", "video message"},
    {"animation", "animation"},
    {"video", "video", "file_name"},
    {"audio", "audio file", "title"},
    {"sticker", "sticker", "emoji"},
    {"venue", "place", "title"},
    {"location", "location"},
    {"contact", "contact", "first_name"},
    {"poll", "poll", "question"},
    {"dice", "dice", "emoji"},
    {"story", "story"},
    {"game", "game", "title"},
    {"invoice", "invoice", "title"},
    {"paid_media", "paid media"},
    {"checklist", "checklist", "title"},
    {"document", "file", "file_name"},
};

std::string named(std::string_view words, std::string_view name) {
    if (name.empty()) return std::string(words);
    base::json::value const quoted(base::shortened(name, longest_name));
    return fmt::format("{} {}", words, base::json_text(quoted));
}

} // namespace

std::string read_attachment(base::json_reader const& message) {
    for (auto const& kind : attachment_kinds) {
        auto const attachment = message[kind.member];
        if (!attachment) continue;
        if (kind.words == "location")
            return fmt::format(
                "location {}, {}",
                attachment["latitude"].number_or(0),
                attachment["longitude"].number_or(0)
            );
        return named(kind.words, kind.name ? attachment[kind.name].string_or("") : std::string());
    }
    return {};
}

std::string read_media_kind(base::json_reader const& message) {
    if (message["photo"]) return "photo";
    auto const* kind =
        std::ranges::find_if(attachment_kinds, [&](attachment_kind const& candidate) {
            return static_cast<bool>(message[candidate.member]);
        });
    return kind == std::end(attachment_kinds) ? std::string() : kind->member;
}

} // namespace postrider::telegram
