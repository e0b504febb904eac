#include "tests/unit/house/room_folders.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace postrider::tests {

namespace {

// Folders of the same room beside its own that a folder's sources may include. A folder that no table
// has may include all.
struct folder_rule {
    std::string_view name;
    std::vector<std::string_view> may_include;
};

std::vector<folder_rule> const& agent_folders() {
    static std::vector<folder_rule> const all{
        {"json_schema", {}},
        {"language", {}},
        {"describe", {}},
        {"expression", {"language"}},
        {"mcp", {"json_schema"}},
        {"talk", {}},
        {"speech", {"language", "talk"}},
        {"models", {"describe", "expression", "language"}},
        {"reminders", {"language", "speech", "talk"}},
        {"tools", {"describe", "expression", "language", "reminders", "talk"}},
        {"loop", {"expression", "language", "models", "talk"}},
        {"todo", {"describe", "language", "loop", "mcp", "models", "reminders", "talk"}},
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
        {"views", {"start"}},
        {"bots", {"start", "telegram"}},
        {"api", {"start", "telemetry", "views"}},
        {"hooks", {"api", "telemetry"}},
        {"demo", {"start", "telegram", "terminal"}},
        {"app",
         {"api",
          "bots",
          "chat",
          "demo",
          "hooks",
          "start",
          "telegram",
          "telemetry",
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

// ROOM/FOLDER/…: the folder; "" for a file that stands beside the folders.
std::string_view folder_in_room(std::string_view path) {
    path.remove_prefix(path.find('/') + 1);
    auto const end = path.find('/');
    return end == path.npos ? std::string_view() : path.substr(0, end);
}

} // namespace

bool crosses_folders(std::string const& file, std::string const& code) {
    auto const* room = find_divided_room(file);
    if (!room) return false;
    static re2::RE2 const include(R"re(^\s*#\s*include\s*"([a-z_]+/[^"]+)")re");
    std::string path;
    if (!re2::RE2::PartialMatch(code, include, &path) || first_folder(path) != room->name)
        return false;
    auto const from = folder_in_room(file);
    auto const to = folder_in_room(path);
    auto const own = std::ranges::find(room->folders, from, &folder_rule::name);
    if (from == to || to.empty() || own == room->folders.end()) return false;
    return std::ranges::find(own->may_include, to) == own->may_include.end();
}

bool stands_beside_folders(std::string const& file) {
    auto const* room = find_divided_room(file);
    if (!room || !folder_in_room(file).empty()) return false;
    return !room->beside_them || !file.starts_with(*room->beside_them);
}

} // namespace postrider::tests
