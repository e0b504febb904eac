// allOf, anyOf, oneOf, not and if: other schemas for the same value.
#include "agent/json_schema/closest.hpp"
#include "agent/json_schema/definition.hpp"

namespace postrider::agent::json_schema {

namespace {

rule all_of(definition const& d) {
    return [all = d.schemas(target::itself)](trial const& t) {
        bool fits = true;
        for (auto const* each : all) {
            fits &= t.fits(*each, t.instance);
            if (!fits && t.during.quiet()) break;
        }
        return fits;
    };
}

// What the schema covers counts if it fits.
bool fits_apart(trial const& t, node const& schema) {
    if (!t.instance.covered) return t.fits_quietly(schema, t.instance);
    coverage own(t.value());
    if (!t.fits_quietly(schema, t.instance.apart(&own))) return false;
    t.instance.covered->add(own);
    return true;
}

rule any_of(definition const& d) {
    return [all = d.schemas(target::itself)](trial const& t) {
        bool fits = false;
        for (auto const* each : all) {
            fits |= fits_apart(t, *each);
            if (fits && !t.instance.covered) break;
        }
        return fits || refuse_all(t, all, "must fit one of ");
    };
}

rule one_of(definition const& d) {
    return [all = d.schemas(target::itself)](trial const& t) {
        std::vector<std::size_t> fitting; // surely
        bool fits = false;
        for (std::size_t i = 0; i < all.size() && fitting.size() < 2; ++i) {
            auto const doubts = t.during.doubts();
            if (!fits_apart(t, *all[i])) continue;
            fits = true;
            if (t.during.doubts() == doubts) fitting.push_back(i);
        }
        if (!fits) return refuse_all(t, all, "must fit exactly one of ");
        if (fitting.size() < 2) return true;
        return t.refuse([&] {
            return "must fit exactly one of " + counted(all.size(), "alternative", "alternatives") +
                   ", but fits number " + std::to_string(fitting[0] + 1) + " and number " +
                   std::to_string(fitting[1] + 1);
        });
    };
}

rule none_of(definition const& d) {
    return [unwanted = d.schema(target::itself)](trial const& t) {
        return !t.surely_fits(*unwanted, t.instance.apart(nullptr)) ||
               t.refuse([] { return "must not fit the schema of \"not\""; });
    };
}

rule condition(definition const& d) {
    auto const branch = [&](std::string_view name) {
        auto const sibling = d.sibling(name);
        return sibling ? sibling->schema(target::itself) : nullptr;
    };
    return [met = d.schema(target::itself),
            then = branch("then"),
            otherwise = branch("else")](trial const& t) {
        auto const doubts = t.during.doubts();
        bool const is_met = fits_apart(t, *met);
        if (is_met && t.during.doubts() != doubts) return true; // or is not met
        auto const* next = is_met ? then : otherwise;
        return !next || t.fits(*next, t.instance);
    };
}

// Without "if" it asks for nothing, but may be referred to.
rule branch(definition const& d) {
    d.schema(target::part);
    return {};
}

} // namespace

std::span<word const> in_place_words() {
    static constexpr word words[] = {
        {"allOf", all_of},
        {"anyOf", any_of},
        {"oneOf", one_of},
        {"not", none_of},
        {"if", condition},
        {"then", branch},
        {"else", branch},
    };
    return words;
}

} // namespace postrider::agent::json_schema
