// A schema, a line's end, and a value: compile() refuses the first or accepts it, and what check()
// then says about the second is bounded, points to what is there, and is the same again.
#include "agent/json_schema/json_schema.hpp"
#include "base/json/pointer.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

using namespace postrider::base;
namespace json_schema = postrider::agent::json_schema;

void require(bool held) {
    if (!held) std::abort();
}

bool leads_somewhere(json::value const& document, std::string_view pointer) {
    auto const steps = steps_of(pointer);
    auto const* found = &document;
    for (auto const& step : steps.value())
        if (found) found = child_of(*found, step);
    return found;
}

void check(
    json_schema::schema const& schema, json::value const& document, json::value const& value
) {
    json_schema::check_limits limits;
    limits.work = 100'000;
    auto const found = schema.check(value, limits);
    require(found.size() <= limits.violations);
    for (auto const& each : found) {
        require(leads_somewhere(value, each.path));
        require(leads_somewhere(document, each.keyword));
        require(!each.code.empty() && !each.message.empty() && each.message.size() <= 500);
    }
    auto const text = to_text(found, "it");
    require(to_text(schema.check(value, limits), "it") == text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const text{reinterpret_cast<char const*>(data), size};
    auto const end = text.find('\n');
    if (end == text.npos) return 0;
    auto const document = parse_json(text.substr(0, end));
    auto const value = parse_json(text.substr(end + 1));
    if (!document || !value) return 0;

    json_schema::compile_options options;
    options.assert_formats = true;
    for (auto const draft : {json_schema::draft::v7, json_schema::draft::v2020_12}) {
        options.draft = draft;
        auto const compiled = compile(*document, options);
        if (compiled)
            check(*compiled, *document, *value);
        else
            require(!compiled.error().empty() && !to_text(compiled.error()).empty());
    }
    return 0;
}
