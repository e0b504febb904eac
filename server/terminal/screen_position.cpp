#include "server/terminal/screen_position.hpp"

#include <algorithm>
#include <cwchar>

namespace postrider::terminal {

namespace {

int width_of(wchar_t character) {
    bool const is_control = character < L' ' || character == 0x7f;
    return is_control ? 2 : std::max(0, ::wcwidth(character));
}

// The length of the sequence that the text begins with; 0: it begins with none.
std::size_t sequence_length(std::wstring_view text) {
    if (!text.starts_with(L"\x1b[")) return 0;
    auto const end = std::ranges::find_if(text.substr(2), [](wchar_t character) {
        return character >= L'@' && character <= L'~';
    });
    return std::min(text.size(), static_cast<std::size_t>(end - text.begin()) + 1);
}

} // namespace

screen_position advance(screen_position position, std::wstring_view text, int width) {
    auto at = position;
    while (!text.empty()) {
        auto const sequence = sequence_length(text);
        auto const character = text.front();
        text.remove_prefix(std::max<std::size_t>(sequence, 1));
        if (sequence > 0) continue;
        if (character == L'\n') ++at.row;
        if (character == L'\n' || character == L'\r') {
            at.column = 0;
            continue;
        }
        auto const columns = width_of(character);
        if (at.column + columns > width) at = {at.row + 1, 0};
        at.column += columns;
    }
    return at;
}

} // namespace postrider::terminal
