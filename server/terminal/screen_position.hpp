#pragma once
// Where a terminal's cursor stands after a text, counted from where the text began: what is written
// is wrapped at the terminal's width. Pure but for the thread's locale, which says how wide a
// character is.
#include <string_view>

namespace postrider::terminal {

struct screen_position {
    int row = 0;
    int column = 0; // the width itself: the row is full, and the next character begins another

    friend bool operator==(screen_position const&, screen_position const&) = default;
};

// Knows "\n", "\r" and the sequences that begin with ESC [, which take no room; another control
// character is shown as ^X.
screen_position advance(screen_position position, std::wstring_view text, int width);

} // namespace postrider::terminal
