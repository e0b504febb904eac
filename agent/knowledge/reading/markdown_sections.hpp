#pragma once
// Markdown as sections: CommonMark by md4c, with tables, strikethrough and task lists. Pure but for the budget.
#include "agent/knowledge/reading/reading_budget.hpp"
#include "agent/knowledge/reading/section_writer.hpp"

#include <string_view>

namespace postrider::agent::knowledge {

// False: it stopped before the text's end, since the writer is full or the time is over.
bool write_markdown(section_writer& writer, std::string_view text, reading_budget const& budget);

} // namespace postrider::agent::knowledge
