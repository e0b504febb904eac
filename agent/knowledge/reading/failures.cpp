#include "agent/knowledge/reading/failures.hpp"

#include "agent/knowledge/reading/read_document.hpp"

namespace postrider::agent::knowledge {

using base::errc;
using base::error;

error unsupported_document() {
    return {errc::refused, "this type of document is not supported", reading_failure::unsupported};
}

error encrypted_document() {
    return {errc::refused, "the document is encrypted", reading_failure::encrypted};
}

error broken_document(std::string_view problem) {
    return {
        errc::invalid, "the document is broken: " + std::string(problem), reading_failure::broken};
}

error document_too_large(std::string_view limit) {
    return {
        errc::too_large,
        "the document is too large: " + std::string(limit),
        reading_failure::too_large};
}

error document_without_text(std::string_view reason) {
    return {
        errc::invalid,
        "the document has no text: " + std::string(reason),
        reading_failure::no_text};
}

error document_tool_missing(std::string_view reason) {
    return {
        errc::unavailable,
        "PDF documents cannot be read: " + std::string(reason),
        reading_failure::tool_missing};
}

error document_too_slow() {
    return {errc::timeout, "the document takes too long to read", reading_failure::too_slow};
}

} // namespace postrider::agent::knowledge
