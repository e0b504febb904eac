#pragma once
// Where a node's messages stand within their turn: in the order in which the nodes run, behind the
// question at 0. Pure: a run that goes on after a crash, on whichever node and build, finds the
// same places.
#include <cstddef>
#include <cstdint>
#include <span>

namespace postrider::agent::flow {

// A call of a flow: by the node of that rank (graph.hpp), behind its message k. `number` tells
// those apart that stand behind the same message.
struct call_place {
    std::size_t rank = 0;
    int k = 0;
    int number = 0;
};

// Of the k-th message of the node of that rank, in a flow that was called by way of `calls`, the
// outermost first; none: the flow that the execution began with. What a called flow says stands
// behind the message that called it. Below two calls places are no longer in order, and two of one
// inner node coincide once in 2^17.
//
// All of them are even. The odd ones are for what people read there and no model does
// (postrider.conversation_send).
std::int64_t message_place(std::span<call_place const> calls, std::size_t rank, int k) noexcept;

} // namespace postrider::agent::flow
