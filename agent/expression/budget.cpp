#include "agent/expression/budget.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace postrider::agent::expressions {

namespace {

struct measures {
    std::size_t bytes = 0; // about as many as it has as JSON
    std::size_t depth = 0;
};

// No deeper than the values of the scope and the literals around them, hence recursive.
void measure(json::value const& value, std::size_t depth, measures& total) {
    total.depth = std::max(total.depth, depth);
    if (auto const* text = value.if_string()) {
        total.bytes += text->size() + 2;
    } else if (auto const* array = value.if_array()) {
        total.bytes += array->size() + 2;
        for (auto const& item : *array) measure(item, depth + 1, total);
    } else if (auto const* object = value.if_object()) {
        total.bytes += 2;
        for (auto const& member : *object) {
            total.bytes += member.key().size() + 4;
            measure(member.value(), depth + 1, total);
        }
    } else {
        total.bytes += 8;
    }
}

} // namespace

bool budget::spend(std::size_t steps) noexcept {
    left_ -= std::min(left_, steps);
    return left_ > 0;
}

bool budget::spend_text(std::size_t bytes) noexcept {
    return bytes <= limits_.output && spend_bytes(bytes);
}

failure budget::failure() const {
    auto reason = left_ == 0 ? fmt::format("the evaluation takes more than {} steps", limits_.steps)
                             : fmt::format("the value is larger than {} bytes", limits_.output);
    return {std::move(reason), expressions::failure_kind::limit};
}

bool bounded_text::append(std::string_view more) {
    over_ = over_ || text_.size() + more.size() > budget_.limits().output ||
            !budget_.spend_bytes(more.size());
    if (!over_) text_ += more;
    return !over_;
}

fallible<operand> bounded_text::finish() && {
    if (over_) return budget_.failure();
    return operand{json::value(json::string_view(text_))};
}

fallible<json::value> copy(json::value const& value, budget& budget) {
    measures size;
    measure(value, 0, size);
    if (!budget.spend_bytes(size.bytes)) return budget.failure();
    return json::value(value);
}

fallible<json::value> take(operand value, budget& budget) {
    if (auto* owned = value.owned()) return std::move(*owned);
    return copy(*value, budget);
}

fallible<json::value> take_result(operand value, budget& budget) {
    measures size;
    measure(*value, 0, size);
    if (!budget.spend_text(size.bytes)) return budget.failure();
    if (size.depth > budget.limits().depth)
        return failure{
            fmt::format("the value is nested deeper than {} levels", budget.limits().depth),
            failure_kind::limit};
    if (auto* owned = value.owned()) return std::move(*owned);
    return json::value(*value);
}

} // namespace postrider::agent::expressions
