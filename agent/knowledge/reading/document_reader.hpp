#pragma once
// A format of documents is one value in a file of its own under formats/, and a line in formats.def. Reading is pure but
// for the time that it takes: it never suspends, and asks the budget every few milliseconds.
#include "agent/knowledge/reading/document_text.hpp"
#include "agent/knowledge/reading/read_document.hpp"
#include "agent/knowledge/reading/reading_budget.hpp"
#include "base/async.hpp"

#include <string_view>
#include <vector>

namespace postrider::agent::knowledge {

struct document_reader {
    std::string_view name;                     // for people
    std::vector<std::string_view> media_types; // the first one is the usual one
    std::vector<std::string_view> endings;     // of names, in lower case, with their dots
    // Null: texts have no signature.
    bool (*has_signature)(std::string_view bytes) = nullptr;
    base::result<document_text> (*read)(document_file file, reading_budget& budget) = nullptr;
    // Runs on the executor before `read`, whose file then holds what this returns. Null: there is nothing to do.
    base::awaitable<base::result<std::string>> (*convert
    )(std::string bytes, reading_limits limits, std::string program) = nullptr;
};

// In the order of formats.def.
std::vector<document_reader const*> const& document_readers();

// By content, media type and name. refused: encrypted_document() or unsupported_document().
base::result<document_reader const*> reader_of(document_file const& file);

// Everything of read_document() behind the conversion.
base::result<document_text> parse_document(
    document_reader const& reader, document_file file, reading_budget& budget
);

} // namespace postrider::agent::knowledge
