#pragma once
// Which folders of a room may include which others. Pure.
#include <string>
#include <string_view>
#include <vector>

namespace postrider::tests {

// "agent" of agent/talk/a.cpp.
inline std::string_view first_folder(std::string_view file) {
    return file.substr(0, file.find('/'));
}

// The line includes a folder of the file's own room that the table of the room does not allow.
bool crosses_folders(std::string const& file, std::string const& code);
// It is in a room that has folders, and in none of them.
bool stands_beside_folders(std::string const& file);
// It is in a folder that the table of its room does not have.
bool stands_in_unknown_folder(std::string const& file);
// What the tables allow that would let folders include each other: "talk includes flow".
std::vector<std::string> rules_that_point_up();

} // namespace postrider::tests
