#include "agent/spam/characters.hpp"

#include <algorithm>
#include <array>
#include <utf8proc.h>

namespace postrider::agent::spam {

namespace {

struct script_block {
    char32_t first;
    char32_t last;
    spam::script script;
};

constexpr std::array<script_block, 36> script_blocks{{
    {0x0041, 0x024f, script::latin},    {0x0250, 0x02af, script::latin},
    {0x0370, 0x03ff, script::greek},    {0x0400, 0x052f, script::cyrillic},
    {0x0530, 0x058f, script::armenian}, {0x0590, 0x05ff, script::hebrew},
    {0x0600, 0x06ff, script::arabic},   {0x0750, 0x077f, script::arabic},
    {0x0870, 0x08ff, script::arabic},   {0x0900, 0x097f, script::devanagari},
    {0x0980, 0x09ff, script::bengali},  {0x0b80, 0x0bff, script::tamil},
    {0x0e00, 0x0e7f, script::thai},     {0x10a0, 0x10ff, script::georgian},
    {0x1100, 0x11ff, script::hangul},   {0x1200, 0x139f, script::ethiopic},
    {0x13a0, 0x13ff, script::cherokee}, {0x1c80, 0x1c8f, script::cyrillic},
    {0x1c90, 0x1cbf, script::georgian}, {0x1d00, 0x1dbf, script::latin},
    {0x1e00, 0x1eff, script::latin},    {0x1f00, 0x1fff, script::greek},
    {0x2c60, 0x2c7f, script::latin},    {0x2de0, 0x2dff, script::cyrillic},
    {0x2e80, 0x2fdf, script::han},      {0x3040, 0x30ff, script::kana},
    {0x3130, 0x318f, script::hangul},   {0x31f0, 0x31ff, script::kana},
    {0x3400, 0x9fff, script::han},      {0xa640, 0xa69f, script::cyrillic},
    {0xa720, 0xa7ff, script::latin},    {0xab30, 0xab6f, script::latin},
    {0xab70, 0xabbf, script::cherokee}, {0xac00, 0xd7ff, script::hangul},
    {0xfb50, 0xfeff, script::arabic},   {0x20000, 0x323af, script::han},
}};

constexpr std::array<std::string_view, 18> script_names{
    "common",
    "latin",
    "cyrillic",
    "greek",
    "armenian",
    "georgian",
    "hebrew",
    "arabic",
    "devanagari",
    "bengali",
    "tamil",
    "thai",
    "ethiopic",
    "cherokee",
    "han",
    "kana",
    "hangul",
    "other"};

utf8proc_category_t category_of(char32_t character) noexcept {
    return utf8proc_category(static_cast<utf8proc_int32_t>(character));
}

} // namespace

script script_of(char32_t character) noexcept {
    if (!is_letter(character)) return script::common;
    if (character < 0x80) return script::latin;
    if (character >= 0x400 && character <= 0x52f) return script::cyrillic;
    auto const block = std::lower_bound(
        script_blocks.begin(),
        script_blocks.end(),
        character,
        [](auto const& row, char32_t sought) { return row.last < sought; }
    );
    return block != script_blocks.end() && block->first <= character ? block->script
                                                                     : script::other;
}

std::string_view name_of(script script) noexcept {
    return script_names[static_cast<std::size_t>(script)];
}

script script_named(std::string_view name) noexcept {
    auto const at = std::find(script_names.begin(), script_names.end() - 1, name);
    return static_cast<script>(at - script_names.begin());
}

bool is_letter(char32_t character) noexcept {
    if (character < 0x80)
        return (character >= U'a' && character <= U'z') || (character >= U'A' && character <= U'Z');
    if (character >= 0x400 && character <= 0x481) return true;
    auto const category = category_of(character);
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool is_digit(char32_t character) noexcept {
    if (character < 0x80) return character >= U'0' && character <= U'9';
    auto const category = category_of(character);
    return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}

bool is_mark(char32_t character) noexcept {
    if (character < 0x300) return false;
    auto const category = category_of(character);
    return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

bool is_blank(char32_t character) noexcept {
    if (character <= 0xa0)
        return character <= U' ' || character == 0x85 || character == 0xa0 || character == 0x7f;
    if (character >= 0x400 && character <= 0x481) return false;
    auto const category = category_of(character);
    return category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_CC;
}

bool is_invisible(char32_t character) noexcept {
    if (character < 0xad || (character >= 0x400 && character <= 0x52f)) return false;
    return character == 0xad || character == 0x34f || character == 0x61c || character == 0x180e ||
           (character >= 0x115f && character <= 0x1160) ||
           (character >= 0x200b && character <= 0x200f) ||
           (character >= 0x202a && character <= 0x202e) ||
           (character >= 0x2060 && character <= 0x206f) || character == 0x3164 ||
           (character >= 0xfe00 && character <= 0xfe0f) || character == 0xfeff ||
           character == 0xffa0 || (character >= 0xe0000 && character <= 0xe0fff);
}

bool begins_emoji(char32_t character) noexcept {
    if (character < 0x203c || character == 0x2122) return false;
    if (character >= 0x1f1e6 && character <= 0x1f1ff) return true; // of flags
    auto const* property = utf8proc_get_property(static_cast<utf8proc_int32_t>(character));
    return property->boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

char32_t take_character(std::string_view& text) noexcept {
    auto const first = static_cast<unsigned char>(text.front());
    if (first < 0x80) {
        text.remove_prefix(1);
        return first;
    }
    if (first < 0xe0 && text.size() > 1) { // valid, so the second byte is there
        auto const second = static_cast<unsigned char>(text[1]);
        text.remove_prefix(2);
        return (first & 0x1fU) << 6 | (second & 0x3fU);
    }
    utf8proc_int32_t character = 0;
    auto const bytes = utf8proc_iterate(
        reinterpret_cast<utf8proc_uint8_t const*>(text.data()),
        static_cast<utf8proc_ssize_t>(text.size()),
        &character
    );
    text.remove_prefix(bytes > 0 ? static_cast<std::size_t>(bytes) : 1);
    return bytes > 0 ? static_cast<char32_t>(character) : 0xfffd;
}

void append_character(std::string& text, char32_t character) {
    if (character < 0x80) {
        text += static_cast<char>(character);
        return;
    }
    if (character < 0x800) {
        text += static_cast<char>(0xc0 | character >> 6);
        text += static_cast<char>(0x80 | (character & 0x3f));
        return;
    }
    std::array<utf8proc_uint8_t, 4> octets{};
    auto const bytes =
        utf8proc_encode_char(static_cast<utf8proc_int32_t>(character), octets.data());
    text.append(octets.begin(), octets.begin() + bytes);
}

} // namespace postrider::agent::spam
