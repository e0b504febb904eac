#include "agent/json_schema/formats.hpp"

#include "agent/json_schema/pattern.hpp"
#include "base/json/pointer.hpp"

#include <boost/url/parse.hpp>
#include <boost/uuid/string_generator.hpp>

#include <stdexcept>

namespace postrider::agent::json_schema {

namespace {

namespace urls = boost::urls;

bool is_alphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_label(std::string_view text) {
    if (text.empty() || text.size() > 63 || text.front() == '-' || text.back() == '-') return false;
    return std::ranges::all_of(text, [](char c) { return is_alphanumeric(c) || c == '-'; });
}

bool is_hostname(std::string_view text) {
    if (text.size() > 253) return false;
    for (;;) {
        auto const dot = text.find('.');
        if (!is_label(text.substr(0, dot))) return false;
        if (dot == text.npos) return true;
        text.remove_prefix(dot + 1);
    }
}

bool is_ipv4(std::string_view text) {
    return urls::parse_ipv4_address({text.data(), text.size()}).has_value();
}

bool is_ipv6(std::string_view text) {
    return urls::parse_ipv6_address({text.data(), text.size()}).has_value();
}

// Boost 1.81 takes "abc" for the path of http://host:abc
template<class Url>
bool is_sound(Url const& url) {
    return url && (!url->has_authority() || url->encoded_path().empty() ||
                   url->encoded_path().starts_with('/'));
}

bool is_uri(std::string_view text) {
    return is_sound(urls::parse_uri({text.data(), text.size()}));
}

bool is_uri_reference(std::string_view text) {
    return is_sound(urls::parse_uri_reference({text.data(), text.size()}));
}

// Boost takes it in braces and without dashes as well: those have another length.
bool is_uuid(std::string_view text) {
    if (text.size() != 36) return false;
    try {
        (void)boost::uuids::string_generator{}(text.begin(), text.end());
        return true;
    } catch (std::runtime_error const&) {
        return false;
    }
}

// Of the left of an e-mail address, without quotes.
bool is_dotted_atom(std::string_view text) {
    constexpr std::string_view others = "!#$%&'*+-/=?^_`{|}~.";
    if (text.empty() || text.front() == '.' || text.back() == '.') return false;
    if (text.find("..") != text.npos) return false;
    return std::ranges::all_of(text, [&](char c) {
        return is_alphanumeric(c) || others.find(c) != others.npos;
    });
}

bool is_quoted_string(std::string_view text) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
    text = text.substr(1, text.size() - 2);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"' || static_cast<unsigned char>(text[i]) < ' ') return false;
        if (text[i] == '\\' && ++i == text.size()) return false;
    }
    return true;
}

bool is_email(std::string_view text) {
    auto const at = text.rfind('@');
    if (at == text.npos) return false;
    auto const local = text.substr(0, at);
    auto domain = text.substr(at + 1);
    if (local.size() > 64 || (!is_dotted_atom(local) && !is_quoted_string(local))) return false;
    if (!domain.starts_with('[')) return is_hostname(domain);
    if (!domain.ends_with(']')) return false;
    domain = domain.substr(1, domain.size() - 2);
    return domain.starts_with("IPv6:") ? is_ipv6(domain.substr(5)) : is_ipv4(domain);
}

bool is_json_pointer(std::string_view text) {
    return base::steps_of(text).has_value();
}

constexpr format formats[] = {
    {"date-time", "a date and time like 2024-12-31T23:59:59Z", is_date_time},
    {"date", "a date like 2024-12-31", is_date},
    {"time", "a time like 23:59:59Z", is_time},
    {"email", "an e-mail address", is_email},
    {"hostname", "a host name", is_hostname},
    {"ipv4", "an IPv4 address", is_ipv4},
    {"ipv6", "an IPv6 address", is_ipv6},
    {"uri", "a URI with a scheme", is_uri},
    {"uri-reference", "a URI or a relative one", is_uri_reference},
    {"uuid", "a UUID", is_uuid},
    {"regex", "a regular expression", pattern::is_valid, 1000},
    {"json-pointer", "a JSON Pointer", is_json_pointer},
};

} // namespace

format const* find_format(std::string_view name) {
    auto const* place = std::ranges::find(formats, name, &format::name);
    return place == std::end(formats) ? nullptr : place;
}

} // namespace postrider::agent::json_schema
