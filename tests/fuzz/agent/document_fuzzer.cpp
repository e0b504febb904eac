// The first byte names a format, the rest is the file: whatever it is, reading ends with an error or with a document within
// the limits, and its parts are UTF-8, no longer than they may be, and the same each time. PDF is read by another program.
#include "agent/knowledge/reading/document_parts.hpp"
#include "agent/knowledge/reading/document_reader.hpp"
#include "base/utf8.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

using namespace postrider::agent::knowledge;

void require(bool held) {
    if (!held) std::abort();
}

bool is_text(std::string_view text) {
    return postrider::base::is_utf8(text) && text.find('\0') == text.npos;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size == 0) return 0;
    reading_limits const limits{
        .unpacked_bytes = 1u << 20, .text_bytes = 256u << 10, .entries = 100, .sections = 2000};
    auto const& readers = document_readers();
    auto const& reader = *readers[data[0] % readers.size()];
    if (reader.convert) return 0;
    std::string bytes(reinterpret_cast<char const*>(data) + 1, size - 1);
    (void)media_type_of_document({"x", "", bytes});
    reading_budget budget(limits);
    auto const document = parse_document(reader, {"x", "", std::move(bytes)}, budget);
    if (!document) {
        require(!document.error().reason.empty());
        return 0;
    }
    require(is_text(document->title) && document->sections.size() <= limits.sections);
    for (auto const& section : document->sections)
        require(is_text(section.text) && is_text(section.heading));
    part_size const part{.target = 40, .most = 60, .overlap = 15};
    auto const parts = split_into_parts(*document, part);
    require(!parts.empty() && parts == split_into_parts(*document, part));
    for (auto const& piece : parts)
        require(is_text(piece.text) && postrider::base::count_characters(piece.text) <= part.most);
    return 0;
}
