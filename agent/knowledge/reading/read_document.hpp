#pragma once
// Reads a document of any supported format. Its content decides which format that is, then its media type, then its
// name. Nothing is written to a disk and nothing is loaded from a network.
//
// Formats are read on a thread of the call's own, PDF by poppler's pdftotext in a confined child process
// (agent/mcp/confinement.hpp). The caller bounds how many documents are read at once.
#include "agent/knowledge/reading/document_text.hpp"
#include "base/async.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::knowledge {

struct document_file {
    std::string name;            // "report.pdf"; a path or a URL is as good
    std::string media_type = {}; // as the sender declares it, with parameters; "" = not declared
    std::string bytes;
};

struct reading_limits {
    std::size_t file_bytes = 50u << 20;
    std::size_t unpacked_bytes = 200u << 20; // of an archive's entries that are read
    std::size_t text_bytes = 20u << 20;      // of the document's text
    std::size_t entries = 10'000;            // of an archive
    std::size_t sections = 50'000;
    base::duration time = std::chrono::minutes{2};
};

// The reasons of errors (base::error::reason). The detail is a sentence for people and names no content.
namespace reading_failure {
inline constexpr std::string_view unsupported = "unsupported_document";   // refused
inline constexpr std::string_view encrypted = "encrypted_document";       // refused
inline constexpr std::string_view broken = "broken_document";             // invalid
inline constexpr std::string_view too_large = "document_too_large";       // too_large
inline constexpr std::string_view no_text = "document_without_text";      // invalid
inline constexpr std::string_view tool_missing = "document_tool_missing"; // unavailable
inline constexpr std::string_view too_slow = "document_too_slow";         // timeout
} // namespace reading_failure

// An error other than these is a machine without memory, processes or descriptors: overloaded.
base::awaitable<base::result<document_text>> read_document(
    document_file file, reading_limits limits = {}, std::string pdf_program = "pdftotext"
);

// For people: "plain text", "Markdown", "PDF".
std::vector<std::string_view> document_format_names();
// The media type of the format by which the file would be read, "text/markdown"; "" = unsupported.
std::string_view media_type_of_document(document_file const& file);

} // namespace postrider::agent::knowledge
