#pragma once
// The errors of readers (read_document.hpp). Each is a whole sentence, with its full stop: it goes to people. Pure.
#include "base/error.hpp"

namespace postrider::agent::knowledge {

base::error unsupported_document();
base::error encrypted_document();
// "the archive cannot be read": what is broken. Reasons and limits go in without a full stop.
base::error broken_document(std::string_view problem);
// "more than 200 MiB when unpacked": which limit.
base::error document_too_large(std::string_view limit);
base::error document_without_text(std::string_view reason);
base::error document_tool_missing(std::string_view reason);
base::error document_too_slow();

} // namespace postrider::agent::knowledge
