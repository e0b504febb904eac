#pragma once
// Texts of the web as UTF-8: the encodings that pages still come in, by the names that servers give
// them. Pure.
#include <string>
#include <string_view>

namespace postrider::agent {

// Of "text/html; charset=x": "x", in lower case; "" = it names none.
std::string charset_of(std::string_view content_type);

// What an HTML page says of itself: a mark at its beginning, or a <meta> in its first 1024 bytes.
// "" = it says nothing.
std::string charset_of_page(std::string_view page);

// The text in UTF-8. Bytes that are no character become U+FFFD; a charset that is not known, or
// none, is taken for UTF-8, or for windows-1252 where the bytes are not UTF-8.
std::string to_utf8(std::string bytes, std::string_view charset);

} // namespace postrider::agent
