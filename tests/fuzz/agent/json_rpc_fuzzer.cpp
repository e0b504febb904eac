// Any bytes: parse_message() refuses or accepts them, and what it accepts reads back the same.
#include "agent/mcp/json_rpc.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace postrider::agent::mcp;
    auto parsed = parse_message({reinterpret_cast<char const*>(data), size});
    // Of a refusal too: its text is written from foreign bytes.
    auto const text = to_text(parsed ? *parsed : message(parsed.error().answer));
    if (text.find('\n') != text.npos) std::abort();
    // Escapes may make it longer than what came.
    auto again = parse_message(text, {.bytes = 64u << 20});
    if (!again) std::abort();
    if (parsed && again->index() != parsed->index()) std::abort();
    return 0;
}
