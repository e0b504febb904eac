#pragma once
// Texts of the web and of documents as UTF-8: the encodings that pages still come in, by the names that
// servers give them. Pure.
#include <memory>
#include <string>
#include <string_view>

namespace postrider::agent::formats {

// Of "text/html; charset=x": "x", in lower case; "" = it names none.
std::string charset_of(std::string_view content_type);

// What a byte order mark at the beginning of a text says, whatever anybody else says: "utf-8",
// "utf-16le", "utf-16be"; "" = there is none.
std::string charset_of_mark(std::string_view text);

// What an HTML page says of itself by a <meta> in its first 1024 bytes. "" = it says nothing.
std::string charset_of_page(std::string_view page);

// What XML says of itself by its declaration. "" = it says nothing.
std::string charset_of_declaration(std::string_view xml);

// True for the charsets that utf8_conversion converts from, and for UTF-8.
bool is_supported_charset(std::string_view charset) noexcept;

// A text in UTF-8, without its mark. Bytes that are no character become U+FFFD; a charset that is
// not known, or none, is taken for UTF-8, or for windows-1252 where the bytes are not UTF-8.
class utf8_conversion {
public:
    utf8_conversion(std::string bytes, std::string_view charset);
    ~utf8_conversion();
    utf8_conversion(utf8_conversion const&) = delete;
    utf8_conversion& operator=(utf8_conversion const&) = delete;

    // Converts the next piece, of 16 KiB at most; false: nothing is left.
    bool step();
    // After the last step.
    std::string take();

private:
    struct converter;

    std::string bytes_;
    std::string text_;
    std::unique_ptr<converter> converter_; // none: the bytes are UTF-8, or meant to be
};

} // namespace postrider::agent::formats
