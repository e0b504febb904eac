#include "agent/json_schema/closest.hpp"

#include "agent/json_schema/wording.hpp"

namespace postrider::agent::json_schema {

namespace {

constexpr std::size_t most_told = 6;

bool of_another_kind(std::vector<violation> const& objections, std::string const& place) {
    return std::ranges::any_of(objections, [&](violation const& each) {
        if (each.code == "type") return each.path == place;
        if (each.code != "const" && each.code != "enum") return false;
        return std::ranges::count(each.path, '/') <= std::ranges::count(place, '/') + 1;
    });
}

} // namespace

bool refuse_all(
    trial const& t, std::vector<node const*> const& schemas, std::string_view requirement
) {
    if (t.during.quiet()) return false;
    auto const place = t.instance.pointer();
    auto message =
        std::string(requirement) + counted(schemas.size(), "alternative", "alternatives");
    std::vector<violation> closest;
    std::size_t number = 0;
    std::string firsts;
    for (std::size_t i = 0; i < schemas.size(); ++i) {
        auto objections = t.during.objections(*schemas[i], t.instance.apart(nullptr));
        if (objections.empty()) continue;
        if (i < most_told) {
            auto const& first = objections.front();
            auto const at = first.path.substr(std::min(place.size(), first.path.size()));
            firsts += (firsts.empty() ? ": " : "; or ") + (at.empty() ? "" : quote(at) + " ") +
                      first.message;
        }
        if (of_another_kind(objections, place)) continue;
        if (closest.empty() || objections.size() < closest.size()) {
            closest = std::move(objections);
            number = i + 1;
        }
    }
    if (closest.empty()) return t.refuse([&] { return message + firsts; });
    t.refuse([&] { return message + ", comes closest to number " + std::to_string(number); });
    for (auto& each : closest) t.during.note(std::move(each));
    return false;
}

} // namespace postrider::agent::json_schema
