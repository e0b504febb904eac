#include "agent/knowledge/reading/paragraphs.hpp"

namespace postrider::agent::knowledge {

void write_paragraphs(section_writer& writer, std::string_view text) {
    while (!text.empty() && !writer.is_full()) {
        auto const end = text.find_first_of("\n\f");
        auto line = text.substr(0, end);
        bool const ends_page = end != text.npos && text[end] == '\f';
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
        line = line.substr(0, line.find_last_not_of(" \t") + 1); // npos + 1 is 0
        writer.write_verbatim(line);
        writer.end_line(line.empty() || ends_page ? 2 : 1);
    }
}

} // namespace postrider::agent::knowledge
