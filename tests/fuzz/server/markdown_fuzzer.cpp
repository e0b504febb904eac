// Any bytes as Markdown: each part is what Telegram takes, fits into a message and is not blank.
#include "base/utf8.hpp"
#include "server/telegram/simulated_markup.hpp"
#include "server/telegram/split.hpp"
#include "tests/support/telegram_html.hpp"

#include <cstdlib>
#include <iostream>

namespace {

using namespace postrider;

void require(bool holds, std::string_view property) {
    if (holds) return;
    std::cerr << "broken: " << property << '\n';
    std::abort();
}

void check(agent::message_content const& part, std::size_t limit) {
    bool const is_html = part.markup == agent::text_markup::html;
    auto const read =
        is_html ? telegram::read_html(part.text) : telegram::read_markup{part.text, {}};
    require(read.problem.empty(), read.problem);
    if (is_html) {
        tests::telegram_html const checked(part.text, {.units = limit});
        require(checked.problem().empty(), checked.problem());
    }
    require(base::utf16_length(read.visible) <= limit, "a part fits");
    require(read.visible.find_first_not_of(" \t\r\n") != read.visible.npos, "a part is not blank");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(unsigned char const* data, std::size_t size) {
    constexpr std::size_t limit = 64;
    agent::message_content content;
    // As JSON and Postgres have let it through.
    content.text = base::as_utf8({reinterpret_cast<char const*>(data), size});
    content.markup = agent::text_markup::markdown;
    for (auto const& part : telegram::split_content(content, limit)) check(part, limit);
    return 0;
}
