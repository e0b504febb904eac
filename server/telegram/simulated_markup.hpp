#pragma once
// How a simulated Telegram reads the HTML of a text: what people see of it, or what is wrong with it
// in the original's words. Pure.
#include <string>
#include <string_view>

namespace postrider::telegram {

struct read_markup {
    std::string visible;
    std::string problem; // the description of a 400; "" = well-formed
};

read_markup read_html(std::string_view text);

} // namespace postrider::telegram
