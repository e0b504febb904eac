// Any bytes as a page, in two pieces: its text is UTF-8 and not much longer than the page.
#include "agent/formats/charset.hpp"
#include "agent/tools/html_text.hpp"
#include "base/utf8.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

void require(bool held) {
    if (!held) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace postrider;
    std::string bytes(reinterpret_cast<char const*>(data), size);
    auto charset = agent::formats::charset_of_mark(bytes);
    if (charset.empty()) charset = agent::formats::charset_of_page(bytes);
    agent::formats::utf8_conversion conversion(std::move(bytes), charset);
    while (conversion.step()) {
    }
    auto const page = conversion.take();
    require(base::is_utf8(page));
    agent::html_text text;
    auto const half = base::cut_at_character(page, page.size() / 2).size();
    text.read(std::string_view(page).substr(0, half));
    text.read(std::string_view(page).substr(half));
    auto const readable = text.finish();
    require(base::is_utf8(readable));
    require(readable.size() <= 64 + 8 * page.size());
    return 0;
}
