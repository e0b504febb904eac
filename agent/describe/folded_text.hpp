#pragma once
// Long texts as raw strings that fit the page: R"(…)"_folded is the text with each line break, and
// the blanks around it, as one space, and with none at either end. It lives as long as the program.
#include <array>
#include <cstddef>
#include <string_view>

namespace postrider::agent {

template<std::size_t N>
struct folded_text {
    consteval folded_text(char const (&raw)[N]) {
        bool broken = false; // a line, since the last character
        for (char const c : std::string_view(raw, N - 1)) {
            if (c == '\n') {
                while (size > 0 && text[size - 1] == ' ') --size;
                broken = true;
            } else if (c != ' ' || !broken) {
                if (broken && size > 0) text[size++] = ' ';
                broken = false;
                text[size++] = c;
            }
        }
    }

    std::array<char, N> text{}; // ends with a zero byte at least
    std::size_t size = 0;
};

template<folded_text Text>
consteval char const* operator""_folded() {
    return Text.text.data();
}

} // namespace postrider::agent
