#pragma once
// What was pasted into the line that is being typed. A short text stands in the line itself; any
// other is kept, and a mark stands for it, which can be deleted like everything that is typed. Pure.
#include <string>
#include <string_view>
#include <vector>

namespace postrider::terminal {

class pasted_texts {
public:
    // What to put into the line for the bytes that the terminal gave.
    std::string add(std::string_view bytes);
    // The line with each text in the place of its mark.
    std::string expand(std::string line) const;
    // The next line begins.
    void clear() { kept_.clear(); }

private:
    struct kept_text {
        std::string mark;
        std::string text;
    };
    std::vector<kept_text> kept_;
};

} // namespace postrider::terminal
