#pragma once
// The files within a zip archive, unpacked piece by piece as far as they are read: memory is that of a piece. An archive
// within it is not opened. Pure but for the budget.
#include "agent/formats/html_events.hpp"
#include "agent/knowledge/reading/reading_budget.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace postrider::agent::knowledge {

// Takes one file of an archive.
class entry_reader {
public:
    virtual ~entry_reader() = default;
    virtual base::result<void> read(std::string_view piece) = 0;
    virtual base::result<void> finish() = 0;
};

// The reader of the file with that path; null: it is skipped, and not unpacked.
using choose_reader = std::function<std::unique_ptr<entry_reader>(std::string_view path)>;

// In the archive's order. Errors of readers pass; others are broken_document(), encrypted_document(), too many or too
// large files, and document_too_slow().
base::result<void> read_zip(
    std::string_view archive, reading_budget& budget, choose_reader const& choose
);

bool is_zip(std::string_view bytes) noexcept;

// A file of XML; the handler outlives the reader.
std::unique_ptr<entry_reader> make_xml_reader(formats::html_handler& handler);
// A small file as a text, which outlives the reader.
std::unique_ptr<entry_reader> make_text_reader(std::string& text, std::size_t most_bytes);

} // namespace postrider::agent::knowledge
