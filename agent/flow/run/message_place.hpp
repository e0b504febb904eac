#pragma once
// Where a node's messages stand within their turn. Pure: a run that goes on after a crash, on
// whichever node and build, finds the same places.
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace postrider::agent::flow {

// Of the k-th message of a node: in the order of the nodes of the flow that the execution began
// with, behind the question at 0. What flows say that a node calls stands with that node: `called`
// names the call, "" in the flow itself, and `node` is the node's number there. Two calls of one
// node share places once in 2^24.
std::int64_t message_place(
    std::size_t outermost, std::string_view called, std::size_t node, int k
) noexcept;

} // namespace postrider::agent::flow
