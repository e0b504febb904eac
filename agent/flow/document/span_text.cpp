#include "agent/flow/document/span_text.hpp"

namespace postrider::agent::flow {

// Of small numbers in place of its own it is one.
bool is_endless_span(std::string_view text) {
    if (base::duration_from_text(text)) return false;
    std::string small;
    bool within_number = false;
    for (char c : text) {
        bool const digit = c >= '0' && c <= '9';
        if (!digit)
            small += c;
        else if (!within_number)
            small += '1';
        within_number = digit;
    }
    return base::duration_from_text(small).has_value();
}

} // namespace postrider::agent::flow
