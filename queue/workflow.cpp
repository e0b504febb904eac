#include "queue/workflow.hpp"

#include "base/names.hpp"

namespace postrider::queue {

namespace {

constexpr base::names<effect_class, 6> classes{{
    {effect_class::pure, "pure"},
    {effect_class::idempotent, "idempotent"},
    {effect_class::keyed, "keyed"},
    {effect_class::at_least_once, "at_least_once"},
    {effect_class::at_most_once, "at_most_once"},
    {effect_class::ask, "ask"},
}};

} // namespace

std::string_view to_string(effect_class c) noexcept {
    return base::name_of(classes, c);
}

std::optional<effect_class> effect_class_from_string(std::string_view name) noexcept {
    return base::named(classes, name);
}

outcome outcome::completed(boost::json::value output, usage used) {
    outcome ended;
    ended.output = std::move(output);
    ended.used = used;
    return ended;
}

outcome outcome::failed(base::error why, usage used) {
    outcome ended;
    ended.state = job_state::failed;
    ended.error = std::move(why);
    ended.used = used;
    return ended;
}

outcome outcome::cancelled(boost::json::value output) {
    outcome ended;
    ended.state = job_state::cancelled;
    ended.output = std::move(output);
    return ended;
}

base::awaitable<step_value> give(step_value value) {
    co_return value;
}

} // namespace postrider::queue
