#pragma once
// Plain text as paragraphs. Pure.
#include "agent/knowledge/reading/section_writer.hpp"

#include <string_view>

namespace postrider::agent::knowledge {

// Lines stay as they are; runs of blank lines, and form feeds, separate paragraphs.
void write_paragraphs(section_writer& writer, std::string_view text);

} // namespace postrider::agent::knowledge
