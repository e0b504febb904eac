#include "queue/workflow.hpp"

#include <array>
#include <utility>

namespace postrider::queue {

namespace {

constexpr std::array<std::pair<effect_class, std::string_view>, 6> classes{{
    {effect_class::pure, "pure"},
    {effect_class::idempotent, "idempotent"},
    {effect_class::keyed, "keyed"},
    {effect_class::at_least_once, "at_least_once"},
    {effect_class::at_most_once, "at_most_once"},
    {effect_class::ask, "ask"},
}};

} // namespace

std::string_view to_string(effect_class c) noexcept {
    for (auto const& [value, name] : classes)
        if (value == c) return name;
    return "unknown";
}

std::optional<effect_class> effect_class_from_string(std::string_view name) noexcept {
    for (auto const& [value, known] : classes)
        if (known == name) return value;
    return std::nullopt;
}

outcome outcome::completed(boost::json::value output, usage used) {
    outcome made;
    made.output = std::move(output);
    made.used = used;
    return made;
}

outcome outcome::failed(base::error why, usage used) {
    outcome made;
    made.state = job_state::failed;
    made.why = std::move(why);
    made.used = used;
    return made;
}

} // namespace postrider::queue
