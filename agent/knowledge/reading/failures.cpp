#include "agent/knowledge/reading/failures.hpp"

#include "agent/knowledge/reading/read_document.hpp"

#include <fmt/format.h>

namespace postrider::agent::knowledge {

using base::errc;
using base::error;

namespace {

std::string failure_sentence(std::string_view beginning, std::string_view reason) {
    return fmt::format("{}: {}.", beginning, reason);
}

} // namespace

error unsupported_document() {
    return {errc::refused, "This type of document is not supported.", reading_failure::unsupported};
}

error encrypted_document() {
    return {errc::refused, "The document is encrypted.", reading_failure::encrypted};
}

error broken_document(std::string_view problem) {
    return {
        errc::invalid,
        failure_sentence("The document is broken", problem),
        reading_failure::broken};
}

error document_too_large(std::string_view limit) {
    return {
        errc::too_large,
        failure_sentence("The document is too large", limit),
        reading_failure::too_large};
}

error document_without_text(std::string_view reason) {
    return {
        errc::invalid,
        failure_sentence("The document has no text", reason),
        reading_failure::no_text};
}

error document_tool_missing(std::string_view reason) {
    return {
        errc::unavailable,
        failure_sentence("PDF documents cannot be read", reason),
        reading_failure::tool_missing};
}

error document_too_slow() {
    return {errc::timeout, "The document takes too long to read.", reading_failure::too_slow};
}

} // namespace postrider::agent::knowledge
