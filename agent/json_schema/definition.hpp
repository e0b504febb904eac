#pragma once
// A keyword while its schema is compiled: what its reader sees, and what it can ask for.
#include "agent/json_schema/pattern.hpp"
#include "agent/json_schema/run.hpp"
#include "agent/json_schema/values.hpp"
#include "agent/json_schema/wording.hpp"
#include "base/json/pointer.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace postrider::agent::json_schema {

class compiler;

// The part of a value that a subschema applies to.
enum class target { itself, part };

inline constexpr std::string_view no_schema = "must be a schema: an object, true or false";

// Where a reference leads; known when the whole document is compiled.
struct link {
    node const* to = nullptr; // null: it was skipped
};

using rule = std::function<bool(trial const&)>;

class definition {
public:
    definition(
        compiler& compiler,
        node& owner,
        boost::json::object const& siblings,
        std::string_view name,
        boost::json::value const& value
    );

    boost::json::value const& value() const noexcept { return value_; }
    // The keyword of the same schema, if it is there.
    std::optional<definition> sibling(std::string_view name) const;
    compile_options const& options() const;

    // A problem at this keyword, which then makes no rule, or below it, where the reader leaves it out.
    void refuse(std::string message) const;
    void refuse_below(std::string_view step, std::string message) const;

    // Refused when the value is something else; a zero or an empty one comes back, which no value
    // will ever meet.
    std::uint64_t count() const;
    bool flag() const;
    std::string text() const;
    std::vector<std::string> names() const; // an array of strings
    std::vector<std::string> names_below(std::string_view step, boost::json::array const& array)
        const;
    boost::json::value number() const;
    boost::json::array const& list() const;
    boost::json::object const& object() const;
    std::optional<json_schema::pattern> pattern(std::string_view text) const;

    // Subschemas: the value itself, its items, its members, one of them.
    node const* schema(target applies_to) const;
    std::vector<node const*> schemas(target applies_to) const;
    std::vector<std::pair<std::string, node const*>> named_schemas(target applies_to) const;
    node const* schema_below(std::string_view step, boost::json::value const& at, target applies_to)
        const;
    std::shared_ptr<link const> reference() const;

    // The schema can be referred to by the name that is the value.
    void add_anchor() const;
    // The schema wants to know what its other keywords covered.
    void sum_up() const { owner_.sums_up = true; }

private:
    std::string pointer() const { return base::below(owner_.pointer, name_); }
    node const* keep(node const* applied, target applies_to) const;

    compiler& all_;
    node& owner_;
    boost::json::object const& siblings_;
    std::string_view name_;
    boost::json::value const& value_;
};

struct word {
    std::string_view name;
    // Empty: nothing to check.
    rule (*read)(definition const&);
};

// In the order in which they are applied.
std::span<word const> reference_words();
std::span<word const> value_words();
std::span<word const> number_words();
std::span<word const> string_words();
std::span<word const> array_words();
std::span<word const> object_words();
std::span<word const> in_place_words();
std::span<word const> unevaluated_words(); // last: they look back at all others

} // namespace postrider::agent::json_schema
