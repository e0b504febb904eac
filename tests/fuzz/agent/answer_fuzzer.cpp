// Any bytes as a provider's answer, in one piece and as a stream: each reader refuses it or gives a
// reply whose calls can be answered, what is recorded of a reply reads back, and how the bytes of a
// stream arrive changes nothing.
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

// What is put together of the bytes; what was heard stands before it.
std::string streamed(
    std::shared_ptr<wire::stream> (*make)(text_listener), std::string_view bytes, std::size_t step
) {
    std::string heard;
    auto const stream = make([&heard](std::string_view text) { heard += text; });
    for (; !bytes.empty(); bytes.remove_prefix(std::min(step, bytes.size())))
        stream->take(bytes.substr(0, step));
    auto const document = stream->document();
    return heard + '|' + (document ? *document : document.error().detail);
}

std::shared_ptr<wire::stream> message(text_listener hear) {
    return anthropic::stream_of(std::move(hear), "model");
}
std::shared_ptr<wire::stream> response(text_listener hear) {
    return openai::responses_stream(std::move(hear), "model");
}
std::shared_ptr<wire::stream> completion(text_listener hear) {
    return openai::completion_stream_of(std::move(hear), "model");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const body(reinterpret_cast<char const*>(data), size);
    model_options options;
    options.model = "model";
    wire_peer const from{options, "model"};
    if (auto parsed = anthropic::read_reply(body, from)) check(parsed->reply);
    if (auto parsed = openai::read_response(body, from)) check(parsed->reply);
    if (auto parsed = openai::read_completion(body, from)) check(parsed->reply);
    for (auto* make : {message, response, completion})
        require(streamed(make, body, body.size()) == streamed(make, body, 1));
    return 0;
}
