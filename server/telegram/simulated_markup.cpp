#include "server/telegram/simulated_markup.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utf8proc.h>
#include <vector>

namespace postrider::telegram {

namespace {

constexpr std::array<std::string_view, 17> known_tags{
    "b",
    "strong",
    "i",
    "em",
    "u",
    "ins",
    "s",
    "strike",
    "del",
    "span",
    "tg-spoiler",
    "a",
    "code",
    "pre",
    "blockquote",
    "tg-emoji",
    "tg-time"};

struct entity {
    std::string text;
    std::size_t length = 0; // in the source
};

std::optional<std::string> numeric(std::string_view digits) {
    int base = 10;
    if (digits.starts_with('x')) {
        base = 16;
        digits.remove_prefix(1);
    }
    utf8proc_int32_t value = 0;
    auto const [end, error] = std::from_chars(digits.begin(), digits.end(), value, base);
    if (error != std::errc{} || end != digits.end() || value < 1 || value > 0x10ffff)
        return std::nullopt;
    std::array<utf8proc_uint8_t, 4> bytes{};
    auto const length = utf8proc_encode_char(value, bytes.data());
    return std::string(bytes.begin(), bytes.begin() + length);
}

// The entity at the beginning of the text ("&lt;…"); others than these are read as they stand.
std::optional<entity> read_entity(std::string_view text) {
    auto const end = text.substr(0, 12).find(';');
    if (end == text.npos) return std::nullopt;
    auto const name = text.substr(1, end - 1);
    if (name == "lt") return entity{"<", end + 1};
    if (name == "gt") return entity{">", end + 1};
    if (name == "amp") return entity{"&", end + 1};
    if (name == "quot") return entity{"\"", end + 1};
    if (!name.starts_with('#')) return std::nullopt;
    auto character = numeric(name.substr(1));
    return character ? std::optional(entity{std::move(*character), end + 1}) : std::nullopt;
}

std::string at_byte(std::size_t offset) {
    return " at byte offset " + std::to_string(offset);
}

class html_reader {
public:
    explicit html_reader(std::string_view text) : text_(text) {}

    read_markup read() {
        while (at_ < text_.size() && result_.problem.empty()) step();
        if (result_.problem.empty() && !open_.empty())
            fail("Can't find end tag corresponding to start tag \"" + open_.back() + '"');
        return std::move(result_);
    }

private:
    void step() {
        if (text_[at_] == '<') return read_tag();
        auto const entity = text_[at_] == '&' ? read_entity(text_.substr(at_)) : std::nullopt;
        result_.visible += entity ? entity->text : std::string(1, text_[at_]);
        at_ += entity ? entity->length : 1;
    }

    void read_tag() {
        auto const begin = at_;
        bool const closes = text_.substr(at_).starts_with("</");
        auto const end = text_.find('>', at_);
        if (end == text_.npos)
            return fail((closes ? "Unclosed end tag" : "Unclosed start tag") + at_byte(begin));
        auto const inside = text_.substr(at_ + (closes ? 2 : 1), end - at_ - (closes ? 2 : 1));
        auto name = std::string(inside.substr(0, inside.find_first_of(" \t\r\n")));
        at_ = end + 1;
        if (closes) return close(std::move(name), begin);
        if (std::ranges::find(known_tags, name) == known_tags.end())
            return fail("Unsupported start tag \"" + name + '"' + at_byte(begin));
        open_.push_back(std::move(name));
    }

    void close(std::string name, std::size_t offset) {
        if (open_.empty()) return fail("Unexpected end tag" + at_byte(offset));
        if (!name.empty() && name != open_.back())
            return fail(
                "Unmatched end tag" + at_byte(offset) + ", expected \"</" + open_.back() +
                ">\", found \"</" + name + ">\""
            );
        open_.pop_back();
    }

    void fail(std::string problem) { result_.problem = "can't parse entities: " + problem; }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<std::string> open_;
    read_markup result_;
};

} // namespace

read_markup read_html(std::string_view text) {
    return html_reader(text).read();
}

} // namespace postrider::telegram
