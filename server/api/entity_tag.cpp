#include "server/api/entity_tag.hpp"

#include "net/digest.hpp"

#include <algorithm>

namespace postrider::api {

namespace {

constexpr std::size_t digits = 32;

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t";
    text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
    return text.substr(0, text.find_last_not_of(blank) + 1);
}

// Tags of ours hold no comma, so cutting one of somebody else's in two does no harm.
template<class Fits>
bool any_tag(std::string_view header, Fits const& fits) {
    while (!header.empty()) {
        auto const end = std::min(header.find(','), header.size());
        if (fits(trimmed(header.substr(0, end)))) return true;
        header.remove_prefix(std::min(end + 1, header.size()));
    }
    return false;
}

// In one field or in several.
template<class Fits>
bool any_tag(net::http_request const& request, std::string_view name, Fits const& fits) {
    return std::ranges::any_of(request.headers, [&](auto const& field) {
        return net::equals_without_case(field.first, name) && any_tag(field.second, fits);
    });
}

} // namespace

std::string tag_of_content(std::string_view content) {
    return '"' + net::sha256_hex(content).substr(0, digits) + '"';
}

condition if_match(net::http_request const& request, std::string_view tag) {
    if (request.headers.count("If-Match") == 0) return condition::absent;
    auto const fits = [tag](std::string_view presented) {
        return presented == tag || presented == "*";
    };
    return any_tag(request, "If-Match", fits) ? condition::met : condition::failed;
}

bool not_modified(net::http_request const& request, std::string_view tag) {
    return any_tag(request, "If-None-Match", [tag](std::string_view presented) {
        if (presented.starts_with("W/")) presented.remove_prefix(2);
        return presented == tag || presented == "*";
    });
}

} // namespace postrider::api
