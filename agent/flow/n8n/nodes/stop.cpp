#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view stop_types[]{"stopAndError"};

void map_stop(translation& in) {
    in.become("stop");
    in.draft.outputs.clear();
    if (!in.put("message", "errorMessage") && !in.put("message", "errorObject"))
        in.put_value("message", "The flow stopped with an error.");
}

} // namespace

extern constinit mapping const stop_mapping{.types = stop_types, .map = map_stop};

} // namespace postrider::agent::flow::n8n
