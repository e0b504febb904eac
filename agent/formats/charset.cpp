#include "agent/formats/charset.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <iconv.h>
#include <memory>
#include <utility>

namespace postrider::agent::formats {

namespace {

using namespace std::string_view_literals;

// Names of servers, and the converter that browsers take for them. Nothing else is converted: the
// libc knows many that no page uses.
constexpr std::array encodings{
    std::pair{"iso-8859-1"sv, "WINDOWS-1252"},
    std::pair{"latin1"sv, "WINDOWS-1252"},
    std::pair{"us-ascii"sv, "WINDOWS-1252"},
    std::pair{"ascii"sv, "WINDOWS-1252"},
    std::pair{"windows-1250"sv, "WINDOWS-1250"},
    std::pair{"windows-1251"sv, "WINDOWS-1251"},
    std::pair{"windows-1252"sv, "WINDOWS-1252"},
    std::pair{"windows-1253"sv, "WINDOWS-1253"},
    std::pair{"windows-1254"sv, "WINDOWS-1254"},
    std::pair{"windows-1255"sv, "WINDOWS-1255"},
    std::pair{"windows-1256"sv, "WINDOWS-1256"},
    std::pair{"windows-1257"sv, "WINDOWS-1257"},
    std::pair{"windows-1258"sv, "WINDOWS-1258"},
    std::pair{"iso-8859-2"sv, "ISO-8859-2"},
    std::pair{"iso-8859-5"sv, "ISO-8859-5"},
    std::pair{"iso-8859-7"sv, "ISO-8859-7"},
    std::pair{"iso-8859-8"sv, "ISO-8859-8"},
    std::pair{"iso-8859-9"sv, "WINDOWS-1254"},
    std::pair{"iso-8859-15"sv, "ISO-8859-15"},
    std::pair{"koi8-r"sv, "KOI8-R"},
    std::pair{"koi8-u"sv, "KOI8-U"},
    std::pair{"gb2312"sv, "GB18030"},
    std::pair{"gbk"sv, "GB18030"},
    std::pair{"gb18030"sv, "GB18030"},
    std::pair{"big5"sv, "BIG5-HKSCS"},
    std::pair{"shift_jis"sv, "CP932"},
    std::pair{"shift-jis"sv, "CP932"},
    std::pair{"euc-jp"sv, "EUC-JP"},
    std::pair{"iso-2022-jp"sv, "ISO-2022-JP"},
    std::pair{"euc-kr"sv, "CP949"},
    std::pair{"utf-16"sv, "UTF-16LE"},
    std::pair{"utf-16le"sv, "UTF-16LE"},
    std::pair{"utf-16be"sv, "UTF-16BE"},
};

constexpr std::string_view replacement = "\xef\xbf\xbd";

constexpr std::size_t conversion_piece_bytes = 16u << 10;

struct close_descriptor {
    void operator()(void* descriptor) const { ::iconv_close(descriptor); }
};
using descriptor = std::unique_ptr<void, close_descriptor>;

descriptor open(char const* charset) {
    auto* opened = ::iconv_open("UTF-8", charset);
    return descriptor(reinterpret_cast<std::intptr_t>(opened) == -1 ? nullptr : opened);
}

std::string_view without_quotes(std::string_view text) {
    if (text.starts_with('"') || text.starts_with('\'')) text.remove_prefix(1);
    return text.substr(0, text.find_first_of("\"'; \t\r\n>/"));
}

// Behind the first "charset=" of the text, which is in lower case.
std::string named_charset(std::string_view text) {
    auto const at = text.find("charset");
    if (at == text.npos) return {};
    text.remove_prefix(at + 7);
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (!text.starts_with('=')) return {};
    text.remove_prefix(1);
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return std::string(without_quotes(text));
}

} // namespace

std::string charset_of(std::string_view content_type) {
    return named_charset(base::to_lower(std::string(content_type)));
}

std::string charset_of_mark(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) return "utf-8";
    if (text.starts_with("\xff\xfe")) return "utf-16le";
    if (text.starts_with("\xfe\xff")) return "utf-16be";
    return {};
}

std::string charset_of_page(std::string_view page) {
    auto const beginning = base::to_lower(std::string(page.substr(0, 1024)));
    for (auto at = beginning.find("<meta"); at != beginning.npos;
         at = beginning.find("<meta", at + 5)) {
        auto const end = beginning.find('>', at);
        auto named = named_charset(std::string_view(beginning).substr(at, end - at));
        // What could be read until here is no UTF-16.
        if (!named.empty()) return named.starts_with("utf-16") ? "utf-8" : named;
    }
    return {};
}

std::string charset_of_declaration(std::string_view xml) {
    auto const declaration = xml.substr(0, xml.substr(0, 1024).find("?>"));
    auto const encoding = declaration.find("encoding=");
    if (!declaration.starts_with("<?xml") || encoding == declaration.npos) return {};
    return charset_of("charset" + std::string(declaration.substr(encoding + 8)));
}

bool is_supported_charset(std::string_view charset) noexcept {
    return charset == "utf-8" || charset == "utf8" ||
           std::ranges::find(encodings, charset, [](auto const& row) { return row.first; }) !=
               encodings.end();
}

struct utf8_conversion::converter {
    converter(descriptor opened, std::string& bytes, std::size_t smallest)
        : with(std::move(opened)),
          in(bytes.data()),
          left(bytes.size()),
          unit(smallest) {}

    // What could be read of the bytes; the reason why it is no more of them.
    int convert(char** input, std::size_t* size, std::string& text) const;
    void read_piece(std::string& text);

    descriptor with;
    char* in;
    std::size_t left;
    std::size_t unit; // bytes of the smallest character
};

int utf8_conversion::converter::convert(char** input, std::size_t* size, std::string& text) const {
    std::array<char, 4096> piece;
    for (;;) {
        auto* out = piece.data();
        auto room = piece.size();
        auto const done = ::iconv(with.get(), input, size, &out, &room);
        auto const reason = done == static_cast<std::size_t>(-1) ? errno : 0;
        text.append(piece.data(), out);
        if (reason != E2BIG) return reason;
    }
}

void utf8_conversion::converter::read_piece(std::string& text) {
    auto const size = std::min(left, conversion_piece_bytes);
    bool const is_last = size == left;
    auto const* const end = in + size;
    for (auto rest = size; rest > 0;) {
        auto const reason = convert(&in, &rest, text);
        if (reason == 0) break;
        bool const is_cut = reason == EINVAL; // the last character
        if (is_cut && !is_last) break;
        text += replacement;
        auto const skipped = is_cut ? rest : std::min(rest, unit);
        in += skipped;
        rest -= skipped;
    }
    left -= size - static_cast<std::size_t>(end - in);
    // Some hold a letter back for the accent that may follow.
    if (left == 0) convert(nullptr, nullptr, text);
}

utf8_conversion::utf8_conversion(std::string bytes, std::string_view charset)
    : bytes_(std::move(bytes)) {
    auto const entry =
        std::ranges::find(encodings, charset, [](auto const& row) { return row.first; });
    char const* name = entry == encodings.end() ? nullptr : entry->second;
    if (!name && charset != "utf-8" && charset != "utf8" && !base::is_utf8(bytes_))
        name = "WINDOWS-1252";
    auto opened = name ? open(name) : descriptor();
    if (!opened) return;
    auto const unit = std::string_view(name).starts_with("UTF-16") ? 2u : 1u;
    converter_ = std::make_unique<converter>(std::move(opened), bytes_, unit);
}

utf8_conversion::~utf8_conversion() = default;

bool utf8_conversion::step() {
    if (!converter_ || converter_->left == 0) return false;
    converter_->read_piece(text_);
    return converter_->left > 0;
}

std::string utf8_conversion::take() {
    auto text = converter_ ? std::move(text_) : base::as_utf8(std::move(bytes_));
    if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
    return text;
}

} // namespace postrider::agent::formats
