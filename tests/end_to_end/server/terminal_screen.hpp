#pragma once
// What a person sees on a terminal of the kind "xterm" that was given these bytes. Knows what
// programs that edit lines write.
#include <string>
#include <string_view>
#include <vector>

namespace postrider::tests {

class terminal_screen {
public:
    terminal_screen(int rows, int columns);

    void write(std::string_view bytes);
    // Its rows without the blanks at their ends, and without the empty ones below.
    std::string text() const;
    // Where the cursor stands: what is left of it in its row.
    std::string before_cursor() const;

private:
    void put(std::u32string_view character);
    void control(char byte);
    void sequence(std::string_view parameters, char command);
    void next_row();

    int columns_;
    std::vector<std::u32string> rows_;
    std::size_t row_ = 0;
    std::size_t column_ = 0; // the width: the next character begins a new row
    std::string unread_;     // the beginning of a character or a sequence
};

} // namespace postrider::tests
