#pragma once
// What a message brings beside its text, in words and in Telegram's own. Pure.
#include "base/json/json.hpp"

#include <string>

namespace postrider::telegram {

// Of what nothing here can read its kind and what names it: "voice message", "file \"report.pdf\"", "location 52.52, 13.405"; "" = a text, an image or a service
// message. Names come from the sender: they are cut and quoted.
std::string read_attachment(base::json_reader const& message);

// What it brings beside text, in Telegram's word: "photo", "voice", "document"; "" = nothing.
std::string read_media_kind(base::json_reader const& message);

} // namespace postrider::telegram
