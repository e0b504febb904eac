#pragma once
// How listings by job are printed, and where the next page begins.
#include "base/json/text.hpp"
#include "server/cli/command.hpp"
#include "server/cli/job_report.hpp"

#include <fmt/format.h>

#include <optional>
#include <ostream>
#include <string_view>

namespace postrider::cli {

inline std::optional<job_id> job_or_none(std::int64_t number) {
    return number > 0 ? std::optional(job_id{number}) : std::nullopt;
}

// JSON, or text, or that there is nothing; each as job_report.hpp has it.
template<class Page, class Lines>
int print_listing(
    context const& in, Page const& page, Lines const& lines, std::string_view nothing
) {
    if (in.json)
        in.out << base::json_text(to_json(page)) << '\n';
    else if (lines.empty())
        in.err << nothing << '\n';
    else
        in.out << to_text(lines);
    return 0;
}

inline void tell_next_page(context const& in, std::string_view cursor) {
    if (!cursor.empty() && !in.json) in.err << fmt::format("More: --cursor {}\n", cursor);
}

inline void tell_next_page(context const& in, std::optional<job_id> continues) {
    if (continues && !in.json) tell_next_page(in, base::to_string(*continues));
}

} // namespace postrider::cli
