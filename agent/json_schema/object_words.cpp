// properties, required, propertyNames and the like: rules for objects.
#include "agent/json_schema/definition.hpp"

#include <set>

namespace postrider::agent::json_schema {

namespace json = boost::json;

namespace {

using named_nodes = std::vector<std::pair<std::string, node const*>>;

json::string_view key(std::string const& name) {
    return {name.data(), name.size()};
}

std::size_t index_of(json::object const& object, json::object::const_iterator member) {
    return static_cast<std::size_t>(member - object.begin());
}

bool require(trial const& t, std::vector<std::string> const& names, std::string const& because) {
    auto const& members = t.value().get_object();
    if (!t.during.spend(names.size())) return false;
    bool complete = true;
    for (auto const& name : names) {
        if (members.contains(key(name))) continue;
        complete = t.refuse([&] { return "must have the member " + quote(name) + because; });
    }
    return complete;
}

rule required(definition const& d) {
    return [names = d.names()](trial const& t) {
        return !t.value().is_object() || require(t, names, "");
    };
}

rule properties(definition const& d) {
    return [schemas = d.named_schemas(target::part)](trial const& t) {
        auto const* members = t.value().if_object();
        if (!members || !t.during.spend(schemas.size())) return !members;
        bool fits = true;
        for (auto const& [name, schema] : schemas) {
            auto const member = members->find(key(name));
            if (member == members->end()) continue;
            t.instance.cover(index_of(*members, member));
            fits &= t.fits(*schema, t.instance.member(*member));
            if (!fits && t.during.quiet()) break;
        }
        return fits;
    };
}

std::vector<std::pair<pattern, node const*>> by_pattern(definition const& d) {
    std::vector<std::pair<pattern, node const*>> compiled;
    for (auto const& [text, schema] : d.named_schemas(target::part))
        if (auto expression = d.pattern(text)) compiled.emplace_back(*expression, schema);
    return compiled;
}

rule pattern_properties(definition const& d) {
    return [schemas = by_pattern(d)](trial const& t) {
        auto const* members = t.value().if_object();
        if (!members) return true;
        bool fits = true;
        for (auto member = members->begin(); member != members->end(); ++member) {
            for (auto const& [expression, schema] : schemas) {
                if (!t.matches(expression, text_of(member->key()))) continue;
                t.instance.cover(index_of(*members, member));
                fits &= t.fits(*schema, t.instance.member(*member));
            }
        }
        return fits;
    };
}

rule additional_properties(definition const& d) {
    std::set<std::string, std::less<>> declared;
    std::vector<std::string> shown_names;
    std::vector<pattern> patterns;
    if (auto const named = d.sibling("properties"))
        for (auto const& member : named->object()) {
            declared.emplace(text_of(member.key()));
            shown_names.push_back(quote(text_of(member.key())));
        }
    if (auto const matching = d.sibling("patternProperties")) {
        for (auto& [expression, schema] : by_pattern(*matching)) patterns.push_back(expression);
        // Which members a pattern that cannot be run would take is not known.
        if (patterns.size() < matching->object().size()) return {};
    }
    auto objection = "is not a known member; known are: " + listed(shown_names);
    return [=, rest = d.schema(target::part)](trial const& t) {
        auto const* members = t.value().if_object();
        if (!members || !t.during.spend(members->size())) return !members;
        bool fits = true;
        for (auto member = members->begin(); member != members->end(); ++member) {
            auto const name = text_of(member->key());
            auto const matches = [&](auto const& each) { return t.matches(each, name); };
            if (declared.contains(name) || std::ranges::any_of(patterns, matches)) continue;
            t.instance.cover(index_of(*members, member));
            auto const part = t.instance.member(*member);
            fits &= rest->refuses_all ? t.refuse_at(part, [&] { return objection; })
                                      : t.fits(*rest, part);
            if (!fits && t.during.quiet()) break;
        }
        return fits;
    };
}

rule property_names(definition const& d) {
    return [names = d.schema(target::part)](trial const& t) {
        auto const* members = t.value().if_object();
        if (!members) return true;
        bool fits = true;
        for (auto const& member : *members) {
            json::value const name(member.key());
            place const part{name, &t.instance, text_of(member.key())};
            if (t.fits_quietly(*names, part)) continue;
            fits = t.refuse_at(part, [&] {
                auto const objections = t.during.objections(*names, part);
                return "has a name that is not allowed" +
                       (objections.empty() ? "" : ": it " + objections.front().message);
            });
            if (t.during.quiet()) break;
        }
        return fits;
    };
}

template<class Holds>
rule object_size(definition const& d, std::string const& bound, Holds holds) {
    return [=, limit = d.count()](trial const& t) {
        auto const* members = t.value().if_object();
        return !members || holds(members->size(), limit) || t.refuse([&] {
            return "must have " + bound + counted(limit, "member", "members") + ", not " +
                   std::to_string(members->size());
        });
    };
}

rule min_properties(definition const& d) {
    return object_size(d, "at least ", std::greater_equal<std::uint64_t>{});
}

rule max_properties(definition const& d) {
    return object_size(d, "at most ", std::less_equal<std::uint64_t>{});
}

// What the presence of a member asks for: a schema, or names of others.
rule dependent(definition const& d) {
    named_nodes schemas;
    std::vector<std::pair<std::string, std::vector<std::string>>> names;
    for (auto const& [name, dependency] : d.object()) {
        auto const step = text_of(name);
        if (auto const* others = dependency.if_array())
            names.emplace_back(step, d.names_below(step, *others));
        else
            schemas.emplace_back(step, d.schema_below(step, dependency, target::itself));
    }
    return [schemas = std::move(schemas), names = std::move(names)](trial const& t) {
        auto const* members = t.value().if_object();
        if (!members || !t.during.spend(schemas.size() + names.size())) return !members;
        bool fits = true;
        for (auto const& [name, others] : names)
            if (members->contains(key(name)))
                fits &= require(t, others, ", which " + quote(name) + " needs");
        for (auto const& [name, schema] : schemas)
            if (members->contains(key(name))) fits &= t.fits(*schema, t.instance);
        return fits;
    };
}

} // namespace

std::span<word const> object_words() {
    static constexpr word words[] = {
        {"required", required},
        {"minProperties", min_properties},
        {"maxProperties", max_properties},
        {"properties", properties},
        {"patternProperties", pattern_properties},
        {"additionalProperties", additional_properties},
        {"propertyNames", property_names},
        {"dependentRequired", dependent},
        {"dependentSchemas", dependent},
        {"dependencies", dependent},
    };
    return words;
}

} // namespace postrider::agent::json_schema
