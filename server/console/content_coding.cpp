#include "server/console/content_coding.hpp"

namespace postrider::console {

namespace {

std::string_view trimmed(std::string_view text) noexcept {
    auto const begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// The text before the separator, which is removed with it.
std::string_view take(std::string_view& list, char separator) noexcept {
    auto const end = list.find(separator);
    auto const item = trimmed(list.substr(0, end));
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
    return item;
}

// "q=0", "q=0.000": it is not to be sent.
bool is_refused(std::string_view parameters) noexcept {
    while (!parameters.empty()) {
        auto parameter = take(parameters, ';');
        auto const name = take(parameter, '=');
        if (!net::equals_without_case(name, "q")) continue;
        return parameter.find_first_not_of("0.") == std::string_view::npos;
    }
    return false;
}

} // namespace

std::string_view name_of(content_coding coding) noexcept {
    switch (coding) {
    case content_coding::brotli:
        return "br";
    case content_coding::gzip:
        return "gzip";
    default:
        return "identity";
    }
}

content_coding preferred_coding(net::header_list const& headers, coded_forms forms) {
    bool brotli = false;
    bool gzip = false;
    for (auto list = headers.find("Accept-Encoding"); !list.empty();) {
        auto parameters = take(list, ',');
        auto const coding = take(parameters, ';');
        bool const accepted = !is_refused(parameters);
        if (net::equals_without_case(coding, "br")) brotli = accepted;
        if (net::equals_without_case(coding, "gzip")) gzip = accepted;
    }
    if (brotli && forms.brotli) return content_coding::brotli;
    if (gzip && forms.gzip) return content_coding::gzip;
    return content_coding::identity;
}

} // namespace postrider::console
