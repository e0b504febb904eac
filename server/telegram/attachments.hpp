#pragma once
// What a message brings beside its text, in words and in Telegram's own. Pure.
#include "agent/talk/message_file.hpp"
#include "base/json/json.hpp"

#include <optional>
#include <string>

namespace postrider::telegram {

// Its kind and what names it: "voice message", "file \"report.pdf\"", "location 52.52, 13.405"; "" = a text, an
// image or a service message. Names come from the sender: they are cut and quoted.
std::string read_attachment(base::json_reader const& message);

// Those words are all that there is to it: a location, a contact, a sticker, a poll, a dice, a checklist.
bool says_all(base::json_reader const& message);

// What it brings beside text, in Telegram's word: "photo", "voice", "document"; "" = nothing.
std::string read_media_kind(base::json_reader const& message);

// The file that it brings: a photo in its largest size, a document, a recording or a video. Names come from the
// sender: they are cut.
std::optional<agent::message_file> read_file(base::json_reader const& message);

} // namespace postrider::telegram
