#include "tests/unit/house/room_folders.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace postrider::tests {

namespace {

// Folders of the same room beside its own that a folder's sources may include. What is named counts without
// the folders within it that are named too. A folder may include only those that stand before it here.
struct folder_rule {
    std::string_view name;
    std::vector<std::string_view> may_include;
};

std::vector<folder_rule> const& agent_folders() {
    static std::vector<folder_rule> const all{
        {"describe", {}},
        {"formats", {}},
        {"group", {}},
        {"json_schema", {}},
        {"language", {}},
        {"spam", {}},
        {"talk", {}},
        {"expression", {"language"}},
        {"flow/document", {"describe"}},
        {"spam/checks", {"spam"}},
        {"spam/store", {"spam"}},
        {"language/times", {"language"}},
        {"mcp", {"json_schema"}},
        {"expression/functions", {"expression", "language"}},
        {"flow",
         {"describe", "expression", "flow/document", "json_schema", "language", "spam", "talk"}},
        {"language/reading", {"language", "language/times"}},
        {"speech", {"language", "language/reading", "talk"}},
        {"models", {"describe", "expression", "json_schema", "language", "language/reading"}},
        {"recall", {"language", "language/reading"}},
        {"knowledge/reading", {"formats", "mcp"}},
        {"knowledge",
         {"knowledge/reading", "language", "language/reading", "models", "recall", "talk"}},
        {"reminders", {"language", "language/reading", "speech", "talk"}},
        {"moderation", {"spam", "spam/store", "speech", "talk"}},
        {"loop", {"expression", "language", "language/reading", "models", "talk"}},
        {"tools", {"describe", "expression", "formats", "language", "recall", "reminders", "talk"}},
        {"flow/n8n/javascript", {"language"}},
        {"flow/n8n/expression", {"expression", "flow/n8n/javascript"}},
        {"flow/n8n", {"flow", "flow/document", "flow/n8n/expression"}},
        {"flow/n8n/nodes", {"flow/document", "flow/n8n", "flow/n8n/expression"}},
        {"flow/parts",
         {"describe",
          "flow",
          "flow/document",
          "json_schema",
          "loop",
          "mcp",
          "models",
          "talk",
          "tools"}},
        {"todo",
         {"describe",
          "language",
          "language/reading",
          "loop",
          "mcp",
          "models",
          "reminders",
          "talk"}},
        {"flow/chat",
         {"describe", "flow", "flow/parts", "language", "loop", "models", "speech", "talk"}},
        {"flow/validate", {"expression", "flow", "flow/document", "flow/parts", "knowledge"}},
        {"flow/approvals", {"flow", "flow/chat", "flow/parts", "language", "talk", "tools"}},
        {"flow/library", {"flow", "flow/document", "flow/validate", "language"}},
        {"flow/nodes",
         {"describe",
          "expression",
          "flow",
          "flow/chat",
          "flow/parts",
          "formats",
          "group",
          "knowledge",
          "language",
          "loop",
          "mcp",
          "models",
          "moderation",
          "recall",
          "spam",
          "spam/store",
          "talk",
          "todo",
          "tools"}},
        {"flow/run",
         {"describe",
          "expression",
          "flow",
          "flow/approvals",
          "flow/chat",
          "flow/document",
          "flow/nodes",
          "flow/parts",
          "flow/validate",
          "group",
          "json_schema",
          "knowledge",
          "knowledge/reading",
          "language",
          "loop",
          "models",
          "moderation",
          "recall",
          "reminders",
          "speech",
          "talk",
          "tools"}},
        {"flow/start", {"flow", "flow/library", "language"}},
        {"flow/watch",
         {"expression",
          "flow",
          "flow/document",
          "flow/parts",
          "flow/run",
          "flow/validate",
          "models",
          "talk"}},
    };
    return all;
}

std::vector<folder_rule> const& queue_folders() {
    static std::vector<folder_rule> const all{
        {"store", {}},
        {"limits", {"store"}},
        {"run", {"limits", "store"}},
        {"node", {"limits", "run", "store"}},
        {"admin", {"run", "store"}},
    };
    return all;
}

std::vector<folder_rule> const& server_folders() {
    static std::vector<folder_rule> const all{
        {"chat", {}},
        {"telegram", {}},
        {"telemetry", {}},
        {"terminal", {}},
        {"start", {"telegram", "telemetry"}},
        {"views", {"start", "telegram"}},
        {"bots", {"start", "telegram", "views"}},
        {"api", {"start", "telemetry", "views"}},
        {"console", {"api"}},
        {"hooks", {"api", "telemetry"}},
        {"demo", {"api", "start", "telegram", "terminal"}},
        {"app",
         {"api",
          "bots",
          "chat",
          "console",
          "demo",
          "hooks",
          "start",
          "telegram",
          "telemetry",
          "terminal",
          "views"}},
        {"cli/parser", {"start"}},
        {"cli", {"cli/parser", "start", "telegram", "terminal", "views"}},
        {"cli/commands",
         {"api",
          "app",
          "bots",
          "cli",
          "cli/parser",
          "console",
          "start",
          "telegram",
          "terminal",
          "views"}},
    };
    return all;
}

struct divided_room {
    std::string_view name;
    std::vector<folder_rule> const& folders;
    // How the files begin that may stand beside the folders; all may include them.
    std::optional<std::string_view> beside_them;
};

std::array<divided_room, 3> const& divided_rooms() {
    static std::array<divided_room, 3> const all{{
        {"queue", queue_folders(), "queue/"}, // its public face
        {"agent", agent_folders(), std::nullopt},
        {"server", server_folders(), "server/main.cpp"},
    }};
    return all;
}

divided_room const* find_divided_room(std::string_view file) {
    auto const at = std::ranges::find(divided_rooms(), first_folder(file), &divided_room::name);
    return at == divided_rooms().end() ? nullptr : &*at;
}

// ROOM/FOLDER/…: the folder, the innermost that has a rule; "" for a file that stands beside the folders.
std::string_view folder_in_room(divided_room const& room, std::string_view path) {
    path.remove_prefix(path.find('/') + 1);
    auto folder = path.substr(0, path.find('/') == path.npos ? 0 : path.find('/'));
    for (auto const& rule : room.folders)
        if (rule.name.size() > folder.size() && path.starts_with(rule.name) &&
            path.substr(rule.name.size()).starts_with('/'))
            folder = rule.name;
    return folder;
}

} // namespace

bool crosses_folders(std::string const& file, std::string const& code) {
    auto const* room = find_divided_room(file);
    if (!room) return false;
    static re2::RE2 const include(R"re(^\s*#\s*include\s*"([a-z_]+/[^"]+)")re");
    std::string path;
    if (!re2::RE2::PartialMatch(code, include, &path) || first_folder(path) != room->name)
        return false;
    auto const from = folder_in_room(*room, file);
    auto const to = folder_in_room(*room, path);
    auto const own = std::ranges::find(room->folders, from, &folder_rule::name);
    if (from == to || to.empty() || own == room->folders.end()) return false;
    return std::ranges::find(own->may_include, to) == own->may_include.end();
}

bool stands_in_unknown_folder(std::string const& file) {
    auto const* room = find_divided_room(file);
    if (!room) return false;
    auto const folder = folder_in_room(*room, file);
    return !folder.empty() &&
           std::ranges::find(room->folders, folder, &folder_rule::name) == room->folders.end();
}

std::vector<std::string> rules_that_point_up() {
    std::vector<std::string> upward;
    for (auto const& room : divided_rooms()) {
        std::set<std::string_view> below;
        for (auto const& rule : room.folders) {
            for (auto const folder : rule.may_include)
                if (!below.contains(folder))
                    upward.push_back(std::string(rule.name) + " includes " + std::string(folder));
            below.insert(rule.name);
        }
    }
    return upward;
}

bool stands_beside_folders(std::string const& file) {
    auto const* room = find_divided_room(file);
    if (!room || !folder_in_room(*room, file).empty()) return false;
    return !room->beside_them || !file.starts_with(*room->beside_them);
}

} // namespace postrider::tests
