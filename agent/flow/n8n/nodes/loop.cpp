#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view loop_types[]{"splitInBatches"};

// Its items come back by the second input: n8n has one input for both.
void map_loop(translation& in) {
    in.become("items.loop");
    in.put("batch_size", "batchSize");
    // Before its third version the first output was that of the rounds.
    if (in.node().version >= 3)
        in.draft.outputs = {"done", "each"};
    else
        in.draft.outputs = {"each", "done"};
    in.draft.returns_to = "next";
}

} // namespace

extern constinit mapping const loop_mapping{
    .types = loop_types, .map = map_loop, .items = passing::same};

} // namespace postrider::agent::flow::n8n
