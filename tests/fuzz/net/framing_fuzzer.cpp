// Any bytes through the request parser and its guard, as a session feeds them. What is accepted
// must have one meaning: a reader that is far more lenient than ours finds at most one way to
// delimit the body, and where our request ends does not depend on how the bytes arrive.
#include "net/request_parser.hpp"

#include <cctype>
#include <cstdlib>
#include <iostream>

namespace {

using postrider::net::oversize;
using postrider::net::request_parser;

constexpr std::size_t body_limit = 1000;

struct outcome {
    bool accepted = false;
    std::size_t consumed = 0;
    std::string body;
};

outcome parse(std::string_view bytes, std::size_t step) {
    auto const blank_line = bytes.find("\r\n\r\n");
    if (blank_line == std::string_view::npos) return {};
    auto const head = bytes.substr(0, blank_line + 4);
    request_parser parser;
    if (parser.parse_head(head)) return {};
    outcome result{false, head.size(), {}};
    parser.limit_body(body_limit, oversize::refuse);
    for (std::size_t have = std::min(step, bytes.size() - result.consumed); !parser.done();) {
        std::size_t used = 0;
        auto state = parser.parse_body(bytes.substr(result.consumed, have), used);
        if (state == request_parser::parse_state::malformed) return {};
        if (state == request_parser::parse_state::oversize) return {};
        result.consumed += used;
        have -= used;
        if (state == request_parser::parse_state::done) break;
        if (result.consumed + have == bytes.size()) return {}; // the rest has not come
        have = std::min(have + step, bytes.size() - result.consumed);
    }
    result.accepted = true;
    result.body = parser.request().body;
    return result;
}

// Takes any control byte for a line end, and looks through padding wherever it stands.
std::size_t count_ways_to_delimit(std::string_view head) {
    std::string plain;
    for (unsigned char c : head) {
        if (c == ' ' || c == '\t' || c >= 0x80) continue;
        plain += c < 0x20 || c == 0x7f ? '\n' : static_cast<char>(std::tolower(c));
    }
    std::size_t ways = 0;
    for (std::string_view name : {"\ncontent-length:", "\ntransfer-encoding:", "\ntrailer:"})
        for (auto at = plain.find(name); at != std::string::npos; at = plain.find(name, at + 1))
            ++ways;
    return ways;
}

void require(bool holds, char const* property) {
    if (holds) return;
    std::cerr << "does not hold: " << property << '\n';
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(unsigned char const* data, std::size_t size) {
    std::string_view const bytes{reinterpret_cast<char const*>(data), size};
    auto const whole = parse(bytes, size);
    auto const dripped = parse(bytes, 1);

    require(whole.accepted == dripped.accepted, "the same verdict however the bytes arrive");
    if (!whole.accepted) return 0;
    require(whole.consumed == dripped.consumed, "the same end however the bytes arrive");
    require(whole.body == dripped.body, "the same body however the bytes arrive");
    require(whole.body.size() <= body_limit, "the limit");
    auto const head = bytes.substr(0, bytes.find("\r\n\r\n") + 2);
    require(count_ways_to_delimit(head) <= 1, "at most one way to delimit the body");
    return 0;
}
