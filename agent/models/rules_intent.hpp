#pragma once
// What the rules model makes of a message. Pure, English only.
#include <string>
#include <string_view>

namespace postrider::agent {

struct intent {
    enum class kind { arithmetic, time, greeting, help, thanks, unknown };
    kind topic = kind::unknown;
    std::string
        argument; // arithmetic: the expression; time: the offset from UTC or the place, or ""
};

// Arithmetic only when the whole message, but for "what is …?" and the like, is an expression:
// "Monday 10-12" is none.
intent understand(std::string_view message);

} // namespace postrider::agent
