#pragma once
// A compiled schema from the inside, and the run that holds one value against it.
#include "agent/json_schema/json_schema.hpp"
#include "agent/json_schema/pattern.hpp"

#include <functional>
#include <variant>

namespace postrider::agent::json_schema {

class trial;

// One keyword of a compiled schema.
struct keyword {
    std::string_view code;
    std::function<bool(trial const&)> holds;
};

// One compiled (sub)schema.
struct node {
    std::string pointer;
    std::string base; // URI that its references are relative to
    std::vector<keyword> keywords;
    bool refuses_all = false; // the schema false
    bool sums_up = false;    // has an unevaluated… keyword: wants to know what the others covered
    bool is_partial = false; // a part of it was skipped: it may accept too much
    bool repeats = false;    // applies itself to the same value again; is_partial, too
    std::vector<node const*> in_place; // schemas that it applies to the very same value
};

// Which children of one value, by position, a keyword has looked at.
class coverage {
public:
    explicit coverage(boost::json::value const& instance, std::size_t doubts_before = 0);
    void add(std::size_t child) { seen_[child] = true; }
    void add(coverage const& other);
    bool has(std::size_t child) const { return seen_[child]; }
    // Of handing it on, in the run's measure.
    std::size_t work() const { return seen_.size() / 16; }
    std::size_t doubts_before() const noexcept { return doubts_before_; }

private:
    std::vector<bool> seen_;
    std::size_t doubts_before_; // run::doubts() when the schema was begun
};

// A value and the way to it. Lives on the stack while the value is checked.
struct place {
    boost::json::value const& value;
    place const* parent = nullptr;
    std::variant<std::monostate, std::size_t, std::string_view> step = {};
    coverage* covered = nullptr; // null: nobody asks

    std::string pointer() const;
    place item(std::size_t index) const;
    place member(boost::json::key_value_pair const& pair) const;
    // The same value for a schema whose coverage counts only if it fits.
    place apart(coverage* own) const { return {value, parent, step, own}; }
    void cover(std::size_t child) const {
        if (covered) covered->add(child);
    }
};

class run {
public:
    explicit run(check_limits const& limits) : limits_(limits) {}

    // Notes violations unless quiet. Always false once the run is out of work.
    bool fits(node const& schema, place const& instance);
    bool fits_quietly(node const& schema, place const& instance);
    // The violations in a list of their own.
    std::vector<violation> objections(node const& schema, place const& instance);

    bool quiet() const noexcept { return !found_; }
    void note(violation noted);
    // False when there is none left.
    bool spend(std::size_t work);
    bool exhausted() const noexcept { return exhausted_; }
    // Grows with each schema that accepts although a part of it was skipped. "Does not fit" is always
    // certain, "fits" only where this has not grown.
    std::size_t doubts() const noexcept { return doubts_; }

private:
    bool is_being_applied(node const& schema, place const& instance) const;
    bool holds(node const& schema, place const& instance);
    bool full() const {
        return found_ && found_->size() >= std::max<std::size_t>(limits_.violations, 1);
    }

    check_limits limits_;
    std::vector<violation>* found_ = nullptr; // null = quiet
    std::size_t spent_ = 0;
    std::size_t depth_ = 0;
    std::size_t doubts_ = 0;
    bool exhausted_ = false;
    // Of the schemas that apply themselves again: those that are being applied, each with its value.
    std::vector<std::pair<node const*, boost::json::value const*>> repeating_;
};

// One keyword held against one value.
class trial {
public:
    trial(node const& schema, keyword const& rule, place const& checked, run& whole)
        : instance(checked),
          during(whole),
          schema_(schema),
          rule_(rule) {}

    boost::json::value const& value() const noexcept { return instance.value; }
    bool fits(node const& schema, place const& part) const { return during.fits(schema, part); }
    bool fits_quietly(node const& schema, place const& part) const {
        return during.fits_quietly(schema, part);
    }
    // Not where a skipped keyword might have refused it.
    bool surely_fits(node const& schema, place const& part) const {
        auto const doubts = during.doubts();
        return fits_quietly(schema, part) && during.doubts() == doubts;
    }
    // Costs work by the length of the text; false when there is none left.
    bool matches(pattern const& expression, std::string_view text) const;
    // False; message() is called only if somebody will read it.
    template<class Message>
    bool refuse(Message message) const {
        return refuse_at(instance, message);
    }
    template<class Message>
    bool refuse_at(place const& part, Message message) const {
        if (!during.quiet()) note(part, message());
        return false;
    }

    place const& instance;
    run& during;

private:
    void note(place const& part, std::string message) const;

    node const& schema_;
    keyword const& rule_;
};

} // namespace postrider::agent::json_schema
