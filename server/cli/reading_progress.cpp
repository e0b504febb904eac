#include "server/cli/reading_progress.hpp"

#include "server/cli/knowledge_work.hpp"
#include "server/cli/table.hpp"

#include <fmt/format.h>

namespace postrider::cli {

namespace knowledge = agent::knowledge;

std::vector<std::string> reading_progress::take(reading_look const& look) {
    std::vector<std::string> lines;
    auto const waiting = waiting_;
    for (auto const& [id, name] : waiting) {
        auto const at = look.documents.find(id);
        take_document(id, name, at == look.documents.end() ? nullptr : &at->second, lines);
    }
    if (look.server_runs) last_server_ = look.at;
    without_server_ = !last_server_ || look.at - *last_server_ > longest_absence;
    return lines;
}

void reading_progress::take_document(
    std::int64_t id,
    std::string const& name,
    watched_document const* seen,
    std::vector<std::string>& lines
) {
    auto const is_in = [seen](knowledge::document_state state) {
        return seen && seen->document.state == state;
    };
    auto text = seen ? state_text(seen->document) : "it was removed";
    if (is_in(knowledge::document_state::reading) && !seen->waiting_reason.empty())
        text += fmt::format(" (its job waits: {})", seen->waiting_reason);
    if (shown_[id] != text) lines.push_back(fmt::format("{}: {}", printable(name), text));
    shown_[id] = std::move(text);
    if (is_in(knowledge::document_state::reading)) return;
    if (!is_in(knowledge::document_state::ready)) ++failures_;
    waiting_.erase(id);
}

} // namespace postrider::cli
