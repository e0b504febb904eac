// prefixItems, items, contains, uniqueItems and the like: rules for arrays.
#include "agent/json_schema/definition.hpp"
#include "agent/json_schema/values.hpp"

#include <unordered_map>

namespace postrider::agent::json_schema {

namespace {

rule prefix(definition const& d) {
    return [first = d.schemas(target::part)](trial const& t) {
        auto const* items = t.value().if_array();
        bool fits = true;
        for (std::size_t i = 0; items && i < std::min(items->size(), first.size()); ++i) {
            t.instance.cover(i);
            fits &= t.fits(*first[i], t.instance.item(i));
        }
        return fits;
    };
}

rule from(std::size_t start, node const* rest) {
    return [=](trial const& t) {
        auto const* items = t.value().if_array();
        if (!items || items->size() <= start) return true;
        if (rest->refuses_all)
            return t.refuse([&] {
                return "must have at most " + counted(start, "item", "items") + ", not " +
                       std::to_string(items->size());
            });
        bool fits = true;
        for (auto i = start; i < items->size(); ++i) {
            t.instance.cover(i);
            fits &= t.fits(*rest, t.instance.item(i));
            if (!fits && t.during.quiet()) break;
        }
        return fits;
    };
}

rule items(definition const& d) {
    if (d.value().is_array()) return prefix(d);
    auto const first = d.sibling("prefixItems");
    auto const start = first && first->value().is_array() ? first->list().size() : 0;
    return from(start, d.schema(target::part));
}

rule additional_items(definition const& d) {
    auto const first = d.sibling("items");
    auto const* rest = d.schema(target::part);
    if (!first || !first->value().is_array()) return {};
    return from(first->list().size(), rest);
}

std::size_t matches(trial const& t, node const& schema, bool surely = false) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < t.value().get_array().size(); ++i) {
        auto const item = t.instance.item(i);
        bool const fits = surely ? t.surely_fits(schema, item) : t.fits_quietly(schema, item);
        if (!fits) continue;
        t.instance.cover(i);
        ++count;
    }
    return count;
}

rule contains(definition const& d) {
    bool const may_be_none = d.sibling("minContains").has_value();
    return [schema = d.schema(target::part), may_be_none](trial const& t) {
        return !t.value().is_array() || matches(t, *schema) > 0 || may_be_none ||
               t.refuse([] { return "must have an item that fits \"contains\""; });
    };
}

template<class Holds>
rule number_contained(definition const& d, std::string const& bound, Holds holds, bool surely) {
    auto const limit = d.count();
    auto const contained = d.sibling("contains");
    if (!contained) return {};
    return [=, schema = contained->schema(target::part)](trial const& t) {
        if (!t.value().is_array()) return true;
        auto const matching = matches(t, *schema, surely);
        return holds(matching, limit) || t.refuse([&] {
            return "must have " + bound + counted(limit, "item that fits", "items that fit") +
                   " \"contains\", not " + std::to_string(matching);
        });
    };
}

rule min_contains(definition const& d) {
    return number_contained(d, "at least ", std::greater_equal<std::uint64_t>{}, false);
}

rule max_contains(definition const& d) {
    return number_contained(d, "at most ", std::less_equal<std::uint64_t>{}, true);
}

template<class Holds>
rule array_size(definition const& d, std::string const& bound, Holds holds) {
    return [=, limit = d.count()](trial const& t) {
        auto const* items = t.value().if_array();
        return !items || holds(items->size(), limit) || t.refuse([&] {
            return "must have " + bound + counted(limit, "item", "items") + ", not " +
                   std::to_string(items->size());
        });
    };
}

rule min_items(definition const& d) {
    return array_size(d, "at least ", std::greater_equal<std::uint64_t>{});
}

rule max_items(definition const& d) {
    return array_size(d, "at most ", std::less_equal<std::uint64_t>{});
}

rule unique(definition const& d) {
    if (!d.flag()) return {};
    return [](trial const& t) {
        auto const* items = t.value().if_array();
        if (!items || !t.during.spend(work_of(t.value()))) return !items;
        std::unordered_multimap<std::size_t, std::size_t> by_hash;
        for (std::size_t i = 0; i < items->size(); ++i) {
            auto const hash = hash_of((*items)[i]);
            auto const [begin, end] = by_hash.equal_range(hash);
            for (auto candidate = begin; candidate != end; ++candidate) {
                if (!t.during.spend(1)) return false;
                if (same((*items)[candidate->second], (*items)[i]))
                    return t.refuse([&] {
                        return "must not have an item twice: items " +
                               std::to_string(candidate->second) + " and " + std::to_string(i) +
                               " are the same";
                    });
            }
            by_hash.emplace(hash, i);
        }
        return true;
    };
}

} // namespace

std::span<word const> array_words() {
    static constexpr word words[] = {
        {"minItems", min_items},
        {"maxItems", max_items},
        {"uniqueItems", unique},
        {"prefixItems", prefix},
        {"items", items},
        {"additionalItems", additional_items},
        {"contains", contains},
        {"minContains", min_contains},
        {"maxContains", max_contains},
    };
    return words;
}

} // namespace postrider::agent::json_schema
