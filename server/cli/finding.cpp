#include "server/cli/finding.hpp"

#include "server/cli/table.hpp"

#include <fmt/format.h>

namespace postrider::cli {

std::string to_text(std::span<finding const> list) {
    std::string text;
    for (auto const& finding : list) {
        text += fmt::format(
            "{:<6} {}: {}\n", to_string(finding.verdict), finding.subject, printable(finding.detail)
        );
        if (!finding.advice.empty()) text += fmt::format("       → {}\n", finding.advice);
    }
    return text;
}

} // namespace postrider::cli
