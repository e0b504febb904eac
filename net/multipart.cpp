#include "net/multipart.hpp"

#include "base/texts.hpp"
#include "net/digest.hpp"

#include <algorithm>

namespace postrider::net {

namespace {

// Within the quotes of a part's head, as browsers write it.
std::string quotable(std::string text) {
    base::replace_all(text, "\r", "%0D");
    base::replace_all(text, "\n", "%0A");
    base::replace_all(text, "\"", "%22");
    return text;
}

std::string head_of(form_part const& part) {
    auto head = "Content-Disposition: form-data; name=\"" + quotable(part.name) + "\"";
    if (part.filename)
        head += "; filename=\"" + quotable(*part.filename) + "\"\r\nContent-Type: " + part.type;
    return head + "\r\n\r\n";
}

std::string boundary_for(std::vector<form_part> const& parts, std::string_view seed) {
    constexpr std::size_t length = 40;
    std::string boundary(seed);
    auto const holds_it = [&boundary](form_part const& part) {
        return part.content.find(boundary) != part.content.npos ||
               head_of(part).find(boundary) != std::string::npos;
    };
    do boundary = sha256_hex(boundary).substr(0, length);
    while (std::ranges::any_of(parts, holds_it));
    return boundary;
}

} // namespace

multipart_body encode_multipart(std::vector<form_part> const& parts, std::string_view seed) {
    auto const boundary = boundary_for(parts, seed);
    std::string text;
    for (auto const& part : parts)
        text.append("--")
            .append(boundary)
            .append("\r\n")
            .append(head_of(part))
            .append(part.content)
            .append("\r\n");
    text.append("--").append(boundary).append("--\r\n");
    return {std::move(text), "multipart/form-data; boundary=" + boundary};
}

} // namespace postrider::net
