#pragma once
// Where a node's messages stand within their turn: in the order in which the nodes run, behind the
// question at 0. Pure: a run that goes on after a crash, on whichever node and build, finds the
// same places.
#include <cstddef>
#include <cstdint>
#include <span>

namespace postrider::agent::flow {

// A call of a flow by the node of that rank (graph.hpp), behind its message k, or a round of a loop: of the
// loop's rank, round k. `number` tells calls apart that stand behind the same message.
struct call_place {
    std::size_t rank = 0;
    int k = 0;
    int number = 0;
};

// Of the k-th message of the node of that rank, in the flows and rounds that `calls` lead to, the outermost
// first; none: the flow that the execution began with. What a called flow says stands behind the message
// that called it.
//
// Two places of an execution differ as long as the path to them fits into 62 bits. Those of a flow that is
// called in a loop of 100 rounds within one of 1,000 do. Behind longer paths two coincide once in 2^27, and
// are not in order.
//
// All of them are even. The odd ones are for what people read there and no model does
// (postrider.conversation_send).
std::int64_t message_place(std::span<call_place const> calls, std::size_t rank, int k) noexcept;

} // namespace postrider::agent::flow
