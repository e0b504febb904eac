#include "agent/knowledge/reading/text_encoding.hpp"

#include "agent/formats/charset.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent::knowledge {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t sample_bytes = 64u << 10; // of a text, to see its encoding

struct letter_frequencies {
    std::string_view charset;
    bool is_latin;            // its letters stand among those of ASCII; others stand side by side
    std::string_view letters; // the usual ones
};

// Of two with the same score, the first one counts.
constexpr std::array encodings_by_letters{
    // ä ö ü ß Ä Ö Ü é è ê à ç ñ í á ó ú ò ì ù ô î â ï ë å ø æ ã õ œ É À Å Ø, and “ ” ’ – … € ¿ ¡ « »
    letter_frequencies{
        "windows-1252"sv,
        true,
        "\xE4\xF6\xFC\xDF\xC4\xD6\xDC\xE9\xE8\xEA\xE0\xE7\xF1\xED\xE1\xF3\xFA\xF2\xEC\xF9\xF4\xEE"
        "\xE2\xEF\xEB\xE5\xF8\xE6\xE3\xF5\x9C\xC9\xC0\xC5\xD8\x93\x94\x92\x96\x85\x80"
        "\xBF\xA1\xAB\xBB"sv},
    // ą ę ł ó ś ż ź ć ń č š ž ř ě ů ý á í é ú ő ű ö ü ă ș(ş) ț(ţ) đ ď ť ň Ł Š Č Ž
    letter_frequencies{
        "windows-1250"sv,
        true,
        "\xB9\xEA\xB3\xF3\x9C\xBF\x9F\xE6\xF1\xE8\x9A\x9E\xF8\xEC\xF9\xFD\xE1\xED\xE9\xFA\xF5\xFB"
        "\xE3\xBA\xFE\xF0\xEF\x9D\xF2\xA3\x8A\xC8\x8E\xF6\xFC"sv},
    // ı ş ğ ü ö ç İ Ş Ğ Ü Ö Ç
    letter_frequencies{
        "windows-1254"sv, true, "\xFD\xFE\xF0\xFC\xF6\xE7\xDD\xDE\xD0\xDC\xD6\xC7"sv},
    // ā ē ī ū š ž ņ ļ ķ ģ č ą ę ė į ų õ ä ö ü
    letter_frequencies{
        "windows-1257"sv,
        true,
        "\xE2\xE7\xEE\xFB\xF0\xFE\xF2\xEF\xED\xEC\xE8\xE0\xE6\xEB\xE1\xF8\xF5\xE4\xF6\xFC"sv},
    // The small letters of Russian and Ukrainian. Capitals are those of the other one: they are fewer.
    letter_frequencies{
        "windows-1251"sv,
        false,
        "\xE0\xE1\xE2\xE3\xE4\xE5\xE6\xE7\xE8\xE9\xEA\xEB\xEC\xED\xEE\xEF\xF0\xF1\xF2\xF3\xF4\xF5"
        "\xF6\xF7\xF8\xF9\xFA\xFB\xFC\xFD\xFE\xFF\xB3\xBF\xBA\xB4"sv},
    letter_frequencies{
        "koi8-r"sv,
        false,
        "\xC0\xC1\xC2\xC3\xC4\xC5\xC6\xC7\xC8\xC9\xCA\xCB\xCC\xCD\xCE\xCF\xD0\xD1\xD2\xD3\xD4\xD5"
        "\xD6\xD7\xD8\xD9\xDA\xDB\xDC\xDD\xDE\xDF"sv},
    // α ο ι ε τ ς σ ν η υ ρ π κ μ λ ω ά έ ή ί ό
    letter_frequencies{
        "windows-1253"sv,
        false,
        "\xE1\xEF\xE9\xE5\xF4\xF2\xF3\xED\xE7\xF5\xF1\xF0\xEA\xEC\xEB\xF9\xDC\xDD\xDE\xDF\xFC"sv},
};

bool is_high(char c) {
    return static_cast<unsigned char>(c) >= 0x80;
}

// How many bytes are letters that are usual in the encoding, minus those that are not.
long letter_score(letter_frequencies const& encoding, std::string_view bytes) {
    long score = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        if (!is_high(bytes[at])) continue;
        bool const is_beside_another =
            (at > 0 && is_high(bytes[at - 1])) || (at + 1 < bytes.size() && is_high(bytes[at + 1]));
        bool const is_usual = encoding.letters.find(bytes[at]) != std::string_view::npos;
        if (is_usual && (encoding.is_latin || is_beside_another)) score += 2;
        if (!is_usual) --score;
    }
    return score;
}

std::string charset_by_letters(std::string_view bytes) {
    auto const* best = encodings_by_letters.data();
    long most = 0;
    for (auto const& encoding : encodings_by_letters) {
        auto const score = letter_score(encoding, bytes);
        if (score <= most) continue;
        most = score;
        best = &encoding;
    }
    return std::string(best->charset);
}

// Letters of ASCII in UTF-16 have a zero at each second byte.
std::string utf16_by_zeros(std::string_view bytes) {
    std::array<std::size_t, 2> zeros{};
    for (std::size_t at = 0; at < bytes.size(); ++at)
        if (bytes[at] == '\0') ++zeros[at % 2];
    auto const many = bytes.size() / 4; // half of the characters
    if (bytes.size() < 4) return {};
    if (zeros[1] > many && zeros[0] * 20 < zeros[1]) return "utf-16le";
    if (zeros[0] > many && zeros[1] * 20 < zeros[0]) return "utf-16be";
    return {};
}

bool is_control(char c) {
    auto const byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\n' && c != '\t' && c != '\r' && c != '\f' && c != '\v' &&
           c != '\x1b';
}

// In place: what is left is never more than what was there.
void normalize_characters(std::string& text) {
    std::size_t to = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        char const c = text[at];
        if (c == '\r') {
            if (at + 1 == text.size() || text[at + 1] != '\n') text[to++] = '\n';
        } else if (!is_control(c) && c != '\x1b' && c != '\x7f') {
            text[to++] = c == '\v' ? '\n' : c;
        }
    }
    text.resize(to);
}

} // namespace

bool looks_like_text(std::string_view bytes) noexcept {
    auto const sample = bytes.substr(0, sample_bytes);
    if (formats::charset_of_mark(sample).starts_with("utf-16")) return true;
    auto const controls =
        static_cast<std::size_t>(std::count_if(sample.begin(), sample.end(), is_control));
    if (controls == 0) return true;
    if (!utf16_by_zeros(sample).empty()) return true;
    // Some old texts have a few of them.
    return sample.find('\0') == sample.npos && controls * 200 < sample.size();
}

std::string charset_of_text(std::string_view bytes, std::string_view declared) {
    if (auto mark = formats::charset_of_mark(bytes); !mark.empty()) return mark;
    auto const sample = bytes.substr(0, sample_bytes);
    if (auto wide = utf16_by_zeros(sample); !wide.empty()) return wide;
    if (formats::is_supported_charset(declared)) return std::string(declared);
    if (base::is_utf8(bytes)) return "utf-8";
    // A text in UTF-8 with some broken bytes is still one: no other encoding has its sequences.
    auto const first = std::ranges::find_if(bytes, is_high) - bytes.begin();
    auto const letters = bytes.substr(static_cast<std::size_t>(first), sample_bytes);
    auto const repaired = base::as_utf8(std::string(letters));
    std::size_t replaced = 0;
    for (auto at = repaired.find("\xEF\xBF\xBD"); at != repaired.npos;
         at = repaired.find("\xEF\xBF\xBD", at + 3))
        ++replaced;
    auto const high =
        static_cast<std::size_t>(std::count_if(letters.begin(), letters.end(), is_high));
    if (replaced * 10 < high) return "utf-8";
    return charset_by_letters(letters);
}

base::result<std::string> decode_text(
    std::string bytes, std::string_view declared, reading_budget const& budget
) {
    auto const charset = charset_of_text(bytes, declared);
    formats::utf8_conversion conversion(std::move(bytes), charset);
    while (conversion.step())
        if (auto const time = budget.check(); !time) return time.error();
    auto text = base::as_utf8(conversion.take());
    normalize_characters(text);
    return text;
}

} // namespace postrider::agent::knowledge
