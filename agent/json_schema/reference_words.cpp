// $ref and what it leads to: $defs, $anchor.
#include "agent/json_schema/definition.hpp"

namespace postrider::agent::json_schema {

namespace {

rule reference(definition const& d) {
    return [to = d.reference()](trial const& t) { return !to->to || t.fits(*to->to, t.instance); };
}

rule anchor(definition const& d) {
    d.add_anchor();
    return {};
}

// Kept for references.
rule shelf(definition const& d) {
    d.named_schemas(target::part);
    return {};
}

} // namespace

std::span<word const> reference_words() {
    static constexpr word words[] = {
        {"$anchor", anchor},
        {"$dynamicAnchor", anchor},
        {"$defs", shelf},
        {"definitions", shelf},
        {"$ref", reference},
        {"$dynamicRef", reference},
    };
    return words;
}

} // namespace postrider::agent::json_schema
