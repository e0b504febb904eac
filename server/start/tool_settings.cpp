#include "server/start/tool_settings.hpp"

#include "agent/tools/tool.hpp"

#include <fmt/format.h>

#include <deque>

namespace postrider::server {

namespace {

std::vector<base::setting> make_rows() {
    static std::deque<std::string> keys;
    std::vector<base::setting> rows{
        {"tools.*.risk",
         "",
         base::setting_type::text,
         "",
         "low|medium|high",
         "Risk of every call of this tool. Empty: the tool's own."}};
    for (auto const* tool : agent::tools())
        for (auto row : tool->configuration) {
            row.key = keys.emplace_back(fmt::format("tools.{}.{}", tool->name, row.key));
            rows.push_back(row);
        }
    return rows;
}

} // namespace

std::vector<base::setting> const& tool_rows() {
    static std::vector<base::setting> const rows = make_rows();
    return rows;
}

void read_tools(base::settings const& settings, config& into, std::vector<std::string>& problems) {
    for (auto const* tool : agent::tools()) {
        if (tool->configuration.empty()) continue;
        auto const prefix = fmt::format("tools.{}.", tool->name);
        auto& configuration = into.tools[std::string(tool->name)];
        configuration.values = settings.within(prefix);
        if (!tool->problems) continue;
        for (auto const& problem : tool->problems(configuration))
            problems.push_back(prefix + problem);
    }
    for (auto const& name : settings.names("tools"))
        into.tools[name].risk = agent::risk_from_string(settings.text("tools." + name + ".risk"));
}

} // namespace postrider::server
