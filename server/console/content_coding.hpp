#pragma once
// Which form of a file a client gets (RFC 9110, section 12.5.3). Pure.
#include "net/http.hpp"

#include <string_view>

namespace postrider::console {

enum class content_coding { identity, gzip, brotli };

struct coded_forms {
    bool gzip = false;
    bool brotli = false;
};

// As Content-Encoding has it.
std::string_view name_of(content_coding coding) noexcept;

// The smallest form that Accept-Encoding allows. Without the header it is the identity: a client that
// says nothing may not decode anything.
content_coding preferred_coding(net::header_list const& headers, coded_forms forms);

} // namespace postrider::console
