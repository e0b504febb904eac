#include "agent/flow/parts/model_step.hpp"

#include <fmt/format.h>

#include <charconv>

namespace postrider::agent::flow {

namespace {

constexpr std::string_view first = "model";

} // namespace

std::string model_step(int node, int entry) {
    if (entry > 1) return fmt::format("{}:{}.{}", first, node, entry);
    if (node > 1) return fmt::format("{}:{}", first, node);
    return std::string(first);
}

std::optional<int> node_of_model_step(std::string_view step) {
    step = step.substr(0, step.find('#'));
    if (!step.starts_with(first)) return std::nullopt;
    step.remove_prefix(first.size());
    if (step.empty()) return 1;
    if (step.front() != ':') return std::nullopt;
    int node = 0;
    auto const [end, ec] = std::from_chars(step.data() + 1, step.data() + step.size(), node);
    if (ec != std::errc{}) return std::nullopt;
    return node;
}

} // namespace postrider::agent::flow
