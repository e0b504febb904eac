#include "server/views/settings_json.hpp"

#include "server/views/json_values.hpp"

#include <boost/json/array.hpp>

namespace postrider::server {

namespace json = boost::json;

namespace {

json::string_view shown_text(std::string_view text) {
    return {text.data(), text.size()};
}

json::object line_json(base::settings::line const& line) {
    json::object shown{
        {"key", line.key},
        {"value", text_or_null(line.value)},
        {"source", line.source},
        {"source_kind", shown_text(kind_of_source(line.source))},
        {"secret", false},
        {"fallback", nullptr},
        {"environment", nullptr},
        {"help", ""}};
    if (!line.row) return shown;
    auto const& row = *line.row;
    shown["secret"] = row.type == base::setting_type::secret;
    if (!row.fallback.empty()) shown["fallback"] = shown_text(row.fallback);
    if (!row.environment.empty()) shown["environment"] = shown_text(row.environment);
    shown["help"] = shown_text(row.help);
    return shown;
}

} // namespace

std::string_view kind_of_source(std::string_view source) noexcept {
    if (source == "default") return source;
    if (source.starts_with("--")) return "flag";
    // "postrider.toml:3"; no variable has a colon in its name.
    return source.find(':') == source.npos ? "environment" : "file";
}

json::object settings_json(std::vector<base::settings::line> const& lines, bool set) {
    json::array listed;
    for (auto const& line : lines)
        if (!set || line.source != "default") listed.push_back(line_json(line));
    return {{"settings", std::move(listed)}};
}

} // namespace postrider::server
