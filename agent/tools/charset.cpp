#include "agent/tools/charset.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <iconv.h>
#include <memory>
#include <utility>

namespace postrider::agent {

namespace {

using namespace std::string_view_literals;

// Names of servers, and the converter that browsers take for them. Nothing else is converted: the
// libc knows many that no page uses.
constexpr std::array known{
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

struct close_converter {
    void operator()(void* converter) const { ::iconv_close(converter); }
};
using converter = std::unique_ptr<void, close_converter>;

converter open(char const* charset) {
    auto* opened = ::iconv_open("UTF-8", charset);
    return converter(opened == reinterpret_cast<iconv_t>(-1) ? nullptr : opened);
}

std::string convert(iconv_t with, std::string bytes) {
    std::string text;
    std::array<char, 4096> piece;
    auto* in = bytes.data();
    auto left = bytes.size();
    while (left > 0) {
        auto* out = piece.data();
        auto room = piece.size();
        auto const failed = ::iconv(with, &in, &left, &out, &room) == static_cast<std::size_t>(-1);
        auto const reason = failed ? errno : 0;
        text.append(piece.data(), out);
        if (!failed || reason == E2BIG) continue;
        text += replacement;
        if (reason == EINVAL) break; // the last character is cut
        ++in;
        --left;
    }
    return text;
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

std::string charset_of_page(std::string_view page) {
    if (page.starts_with("\xef\xbb\xbf")) return "utf-8";
    if (page.starts_with("\xff\xfe")) return "utf-16le";
    if (page.starts_with("\xfe\xff")) return "utf-16be";
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

std::string to_utf8(std::string bytes, std::string_view charset) {
    auto const found = std::ranges::find(known, charset, [](auto const& row) { return row.first; });
    char const* name = found == known.end() ? nullptr : found->second;
    if (!name && charset != "utf-8" && charset != "utf8" && !base::is_utf8(bytes))
        name = "WINDOWS-1252";
    auto const opened = name ? open(name) : converter();
    auto text = opened ? convert(opened.get(), std::move(bytes)) : base::as_utf8(std::move(bytes));
    if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
    return text;
}

} // namespace postrider::agent
