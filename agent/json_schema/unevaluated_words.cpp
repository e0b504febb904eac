// unevaluatedItems and unevaluatedProperties: what no other keyword of the schema, or of those that
// it applies to the same value, has looked at.
#include "agent/json_schema/definition.hpp"

namespace postrider::agent::json_schema {

namespace {

// What was skipped might have looked at the rest.
bool is_doubtful(trial const& t) {
    return t.during.doubts() != t.instance.covered->doubts_before();
}

bool refuse_unless_covered(trial const& t, node const& rest, std::size_t child, place const& part) {
    if (t.instance.covered->has(child)) return true;
    t.instance.cover(child);
    if (!rest.refuses_all) return t.fits(rest, part);
    return t.refuse_at(part, [] { return std::string("is not described by the schema"); });
}

rule unevaluated_items(definition const& d) {
    d.sum_up();
    return [rest = d.schema(target::part)](trial const& t) {
        auto const* unevaluated_items = t.value().if_array();
        if (is_doubtful(t)) return true;
        bool fits = true;
        for (std::size_t i = 0; unevaluated_items && i < unevaluated_items->size(); ++i)
            fits &= refuse_unless_covered(t, *rest, i, t.instance.item(i));
        return fits;
    };
}

rule unevaluated_properties(definition const& d) {
    d.sum_up();
    return [rest = d.schema(target::part)](trial const& t) {
        auto const* members = t.value().if_object();
        if (is_doubtful(t)) return true;
        bool fits = true;
        std::size_t i = 0;
        if (members)
            for (auto const& member : *members)
                fits &= refuse_unless_covered(t, *rest, i++, t.instance.member(member));
        return fits;
    };
}

} // namespace

std::span<word const> unevaluated_words() {
    static constexpr word words[] = {
        {"unevaluatedItems", unevaluated_items},
        {"unevaluatedProperties", unevaluated_properties},
    };
    return words;
}

} // namespace postrider::agent::json_schema
