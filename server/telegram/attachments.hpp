#pragma once
// What a message brings that nothing here can read: its kind in words, and what names it. Pure.
#include "base/json/json.hpp"

#include <string>

namespace postrider::telegram {

// "voice message", "file \"report.pdf\"", "location 52.52, 13.405"; "" = a text, an image or a service
// message. Names come from the sender: they are cut and quoted.
std::string read_attachment(base::json_reader const& message);

} // namespace postrider::telegram
