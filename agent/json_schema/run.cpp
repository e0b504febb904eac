#include "agent/json_schema/run.hpp"

#include "agent/json_schema/values.hpp"
#include "agent/json_schema/wording.hpp"
#include "base/json/pointer.hpp"

namespace postrider::agent::json_schema {

namespace json = boost::json;

namespace {

// Schemas within schemas, the value's depth and references together: what the stack surely carries.
constexpr std::size_t deepest_application = 1000;

constexpr std::size_t longest_message = 500;

violation limit(std::string message) {
    return {"", "", "limit", std::move(message)};
}

} // namespace

coverage::coverage(json::value const& instance, std::size_t doubts_before)
    : seen_(
          instance.is_array()    ? instance.get_array().size()
          : instance.is_object() ? instance.get_object().size()
                                 : 0
      ),
      doubts_before_(doubts_before) {}

void coverage::add(coverage const& other) {
    for (std::size_t child = 0; child < seen_.size(); ++child)
        if (other.has(child)) add(child);
}

std::string place::pointer() const {
    if (!parent) return "";
    auto way = parent->pointer();
    if (auto const* index = std::get_if<std::size_t>(&step)) return base::below(way, *index);
    return base::below(way, std::get<std::string_view>(step));
}

place place::item(std::size_t index) const {
    return {value.get_array()[index], this, index};
}

place place::member(json::key_value_pair const& pair) const {
    return {pair.value(), this, text_of(pair.key())};
}

bool run::spend(std::size_t work) {
    spent_ += work;
    if (spent_ > limits_.work) exhausted_ = true;
    return !exhausted_;
}

void run::note(violation noted) {
    if (found_ && !full()) found_->push_back(std::move(noted));
}

bool run::fits(node const& schema, place const& instance) {
    if (depth_ == deepest_application) exhausted_ = true;
    auto const handing_on = instance.covered ? instance.covered->work() : 0;
    if (exhausted_ || full() || !spend(1 + schema.keywords.size() + handing_on)) return false;
    if (schema.refuses_all) {
        if (!quiet()) note({instance.pointer(), schema.pointer, "false", "must not be there"});
        return false;
    }
    auto const doubts_before = doubts_;
    if (schema.is_partial) ++doubts_;
    if (schema.keywords.empty() || is_being_applied(schema, instance)) return true;
    if (schema.repeats) repeating_.emplace_back(&schema, &instance.value);
    ++depth_;
    bool fitted = false;
    if (schema.sums_up) {
        coverage own(instance.value, doubts_before);
        fitted = holds(schema, instance.apart(&own));
        if (fitted && instance.covered) instance.covered->add(own);
    } else {
        fitted = holds(schema, instance);
    }
    --depth_;
    if (schema.repeats) repeating_.pop_back();
    return fitted;
}

bool run::is_being_applied(node const& schema, place const& instance) const {
    return schema.repeats &&
           std::ranges::find(repeating_, std::pair(&schema, &instance.value)) != repeating_.end();
}

bool run::holds(node const& schema, place const& instance) {
    bool valid = true;
    for (auto const& rule : schema.keywords) {
        if (rule.holds(trial(schema, rule, instance, *this))) continue;
        valid = false;
        if (quiet()) break;
    }
    return valid;
}

bool run::fits_quietly(node const& schema, place const& instance) {
    auto* const outer = std::exchange(found_, nullptr);
    bool const fitted = fits(schema, instance);
    found_ = outer;
    return fitted;
}

std::vector<violation> run::objections(node const& schema, place const& instance) {
    std::vector<violation> own;
    auto* const outer = std::exchange(found_, &own);
    fits(schema, instance);
    found_ = outer;
    return own;
}

void trial::note(place const& part, std::string message) const {
    during.note(
        {part.pointer(),
         base::below(schema_.pointer, rule_.code),
         rule_.code,
         cut(std::move(message), longest_message)}
    );
}

bool trial::matches(pattern const& expression, std::string_view text) const {
    return during.spend(work_of(text)) && expression.found_in(text);
}

std::vector<violation> schema::check(json::value const& value, check_limits const& limits) const {
    if (deeper_than(value, limits.depth))
        return {
            limit("must not be nested deeper than " + std::to_string(limits.depth) + " levels")};
    run checking(limits);
    auto violations = checking.objections(*root_, place{value});
    if (checking.exhausted()) return {limit("must be simpler: checking it takes too much work")};
    return violations;
}

} // namespace postrider::agent::json_schema
