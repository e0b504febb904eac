// Any bytes as a provider's answer: each reader refuses it or gives a reply whose calls can be
// answered, and what is recorded of a reply reads back.
#include "agent/models/anthropic_wire.hpp"
#include "agent/models/openai_wire.hpp"
#include "agent/models/reply_json.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

using namespace postrider::agent;

void require(bool held) {
    if (!held) std::abort();
}

void check(chat_reply const& reply) {
    for (auto const& call : reply.calls) require(!call.id.empty());
    auto again = reply_from_json(to_json(reply));
    require(again && again->text == reply.text && again->calls.size() == reply.calls.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const body(reinterpret_cast<char const*>(data), size);
    if (auto parsed = anthropic::read_reply(body, "model")) check(parsed->reply);
    if (auto reply = openai::read_response(body, "model", "model")) check(*reply);
    if (auto reply = openai::read_completion(body, "model")) check(*reply);
    return 0;
}
