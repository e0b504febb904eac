#include "agent/moderation/command_answers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent {

std::string warning_text(std::string_view name, int count, int limit, bool is_banned) {
    auto const author = name.empty() ? std::string_view("The author") : name;
    auto text = fmt::format("⚠️ {}: warning {} of {}.", author, std::min(count, limit), limit);
    if (count < limit) return text + fmt::format(" Warning {} means a ban.", limit);
    return text + (is_banned ? " The author is banned." : " The ban failed.");
}

std::string report_answer(int count, int limit) {
    if (count >= limit) return "Thank you. The administrators are asked to look at this message.";
    return fmt::format(
        "Thank you, your report counts. This message has {} of the {} reports at which the "
        "administrators are asked.",
        count,
        limit
    );
}

} // namespace postrider::agent
