#include "net/framing.hpp"

#include <algorithm>

namespace postrider::net {

namespace {

constexpr bool is_control(unsigned char c) noexcept {
    return c < 0x20 || c == 0x7f;
}

// Digits alone, and few enough that no parser overflows.
bool is_length(std::string_view value) noexcept {
    return !value.empty() && value.size() <= 18 &&
           std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
}

// host[:port] has none of these, and proxies disagree about where a host with them ends.
bool is_host(std::string_view value) noexcept {
    return value.find_first_of(" \t,/\\@?#") == std::string_view::npos;
}

} // namespace

refusal refuse_lines(std::string_view head) noexcept {
    for (std::size_t i = 0; i < head.size(); ++i) {
        auto c = static_cast<unsigned char>(head[i]);
        if (!is_control(c) || c == '\t') continue;
        if (c == '\n') return "a line ends without a carriage return";
        if (c != '\r') return "control byte in the head";
        if (i + 1 == head.size()) break;
        if (head[++i] != '\n') return "carriage return inside a line";
        if (i + 1 < head.size() && (head[i + 1] == ' ' || head[i + 1] == '\t'))
            return "folded header line";
    }
    return std::nullopt;
}

refusal refuse_request_line(
    int version, std::string_view method, std::string_view target
) noexcept {
    if (version != 10 && version != 11) return "HTTP version other than 1.0 and 1.1";
    if (method == "CONNECT") return "CONNECT is not supported";
    if (!target.starts_with('/')) return "target is not a path";
    for (unsigned char c : target)
        if (is_control(c) || c == ' ' || c >= 0x80 || c == '#')
            return "target holds a byte that must be encoded";
    return std::nullopt;
}

refusal refuse_fields(int version, header_list const& fields) noexcept {
    int hosts = 0;
    int lengths = 0;
    int codings = 0;
    for (auto const& [name, value] : fields) {
        if (equals_without_case(name, "Host")) {
            ++hosts;
            if (!is_host(value)) return "malformed Host";
        } else if (equals_without_case(name, "Content-Length")) {
            ++lengths;
            if (!is_length(value)) return "malformed Content-Length";
        } else if (equals_without_case(name, "Transfer-Encoding")) {
            ++codings;
            if (!equals_without_case(value, "chunked")) return "unsupported Transfer-Encoding";
        } else if (equals_without_case(name, "Trailer")) {
            return "trailers are not supported";
        }
    }
    if (hosts > 1) return "several Host fields";
    if (hosts == 0 && version == 11) return "Host is missing";
    if (lengths > 1) return "several Content-Length fields";
    if (codings > 1) return "several Transfer-Encoding fields";
    if (codings > 0 && lengths > 0) return "both Transfer-Encoding and Content-Length";
    if (codings > 0 && version == 10) return "Transfer-Encoding in HTTP/1.0";
    return std::nullopt;
}

} // namespace postrider::net
