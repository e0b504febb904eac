#include "agent/formats/charset.hpp"
#include "agent/knowledge/reading/document_reader.hpp"
#include "agent/knowledge/reading/failures.hpp"
#include "agent/knowledge/reading/markdown_sections.hpp"
#include "agent/knowledge/reading/paragraphs.hpp"
#include "agent/knowledge/reading/text_encoding.hpp"

namespace postrider::agent::knowledge::registered {

namespace {

// The parser cannot be stopped while it looks for a text's blocks. Longer ones are read as plain text.
constexpr std::size_t most_markdown_bytes = 5u << 20;

// "---", lines of YAML, "---": of it the title is read. Returns what follows.
std::string_view skip_front_matter(std::string_view text, section_writer& writer) {
    if (!text.starts_with("---\n")) return text;
    auto const end = text.find("\n---\n", 3);
    if (end == text.npos) return text;
    auto const matter = text.substr(3, end + 1 - 3); // from a line end to a line end
    if (auto const key = matter.find("\ntitle:"); key != matter.npos) {
        auto title = matter.substr(key + 7);
        title = title.substr(0, title.find('\n'));
        title.remove_prefix(std::min(title.find_first_not_of(" '\""), title.size()));
        while (title.ends_with('"') || title.ends_with('\'') || title.ends_with(' '))
            title.remove_suffix(1);
        writer.set_title(title);
    }
    return text.substr(end + 5);
}

base::result<document_text> read_markdown_file(document_file file, reading_budget& budget) {
    auto const declared = formats::charset_of(file.media_type);
    auto const text = decode_text(std::move(file.bytes), declared, budget);
    if (!text) return text.error();
    section_writer writer(budget.limits());
    auto const body = skip_front_matter(*text, writer);
    if (body.size() > most_markdown_bytes)
        write_paragraphs(writer, body);
    else if (!write_markdown(writer, body, budget) && !writer.is_full())
        return document_too_slow();
    if (writer.is_full()) return writer.error();
    return writer.finish();
}

} // namespace

extern document_reader const markdown;
document_reader const markdown{
    .name = "Markdown",
    .media_types = {"text/markdown", "text/x-markdown"},
    .endings = {".md", ".markdown", ".mdx", ".mkd"},
    .read = read_markdown_file};

} // namespace postrider::agent::knowledge::registered
