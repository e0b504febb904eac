#include "agent/describe/bounds.hpp"

#include "base/clock.hpp"

namespace postrider::agent::bounds {

std::string to_text(range<int> const& bound) {
    return std::to_string(bound.least) + ".." + std::to_string(bound.most);
}

std::string to_text(range<std::chrono::milliseconds> const& bound) {
    return base::to_text(bound.least) + ".." + base::to_text(bound.most);
}

void apply(range<int> const& bound, boost::json::value& parameter) {
    auto& schema = parameter.as_object();
    schema["minimum"] = bound.least;
    schema["maximum"] = bound.most;
    schema["default"] = bound.usual;
}

void apply_usual(std::chrono::milliseconds usual, boost::json::value& parameter) {
    parameter.as_object()["default"] = base::to_text(usual);
}

} // namespace postrider::agent::bounds
