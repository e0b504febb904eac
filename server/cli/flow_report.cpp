#include "server/cli/flow_report.hpp"

#include "server/cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::cli {

namespace {

constexpr std::size_t description_width = 50;
constexpr std::size_t note_width = 60;

std::string minute_text(std::string const& instant) {
    return instant.substr(0, 16) + "Z";
}

std::string version_of(storage::flow_row const& flow) {
    return flow.published ? fmt::format("v{}", *flow.published) : "-";
}

std::string state_of(storage::flow_row const& flow) {
    if (flow.archived_at) return "archived";
    if (!flow.published) return "draft";
    return flow.changed ? "draft differs" : "published";
}

std::string count_of(std::ptrdiff_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

} // namespace

std::string to_text(std::vector<storage::flow_row> const& flows) {
    std::vector<cells> lines;
    lines.reserve(flows.size());
    for (auto const& flow : flows)
        lines.push_back(
            {flow.name,
             version_of(flow),
             state_of(flow),
             std::string(storage::to_string(flow.origin)),
             minute_text(flow.updated_at),
             one_line(flow.description, description_width)}
        );
    return table({"flow", "current", "state", "origin", "changed", "description"}, lines);
}

std::string to_text(
    storage::flow_row const& flow, std::vector<storage::flow_version_row> const& versions
) {
    auto text = fmt::format(
        "{}  {}  current {}  {}  changed {}\n",
        flow.name,
        state_of(flow),
        version_of(flow),
        storage::to_string(flow.origin),
        minute_text(flow.updated_at)
    );
    if (!flow.description.empty()) text += printable(flow.description) + "\n";
    if (!versions.empty()) text += "\n" + to_text(versions);
    return text;
}

std::string to_text(std::vector<storage::flow_version_row> const& versions) {
    std::vector<cells> lines;
    lines.reserve(versions.size());
    for (auto const& version : versions)
        lines.push_back(
            {fmt::format("v{}", version.version),
             minute_text(version.published_at),
             printable(version.published_by),
             version.digest.substr(0, 12),
             one_line(version.note, note_width)}
        );
    return table({"version", "published", "by", "sha256", "note"}, lines);
}

std::string to_text(std::vector<agent::flow::problem> const& problems) {
    std::string text;
    for (auto const& problem : problems) text += printable(agent::flow::to_text(problem)) + "\n";
    return text;
}

std::string summary_of(std::vector<agent::flow::problem> const& problems) {
    auto const errors =
        std::ranges::count(problems, agent::flow::severity::error, &agent::flow::problem::severity);
    return count_of(errors, "error") + ", " + count_of(std::ssize(problems) - errors, "warning");
}

} // namespace postrider::cli
