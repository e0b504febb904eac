#pragma once
// The beginning of a large JSON text as JSON of its own, made without the rest of the text. Pure.
#include <string>
#include <string_view>

namespace postrider::base {

// Of a text of `total` bytes, which is valid JSON, its first ones: closed where they end, with a
// text there that says how many bytes are left out: "… 512 bytes more". What was not whole there is
// left out, but a text is kept as far as it goes. The same where `beginning` is all of it.
std::string closed_json(std::string_view beginning, std::size_t total);

} // namespace postrider::base
