#pragma once
// Which folders of a room may include which others. Pure.
#include <string>
#include <string_view>

namespace postrider::tests {

// "agent" of agent/talk/a.cpp.
inline std::string_view first_folder(std::string_view file) {
    return file.substr(0, file.find('/'));
}

// The line includes a folder of the file's own room that the table of the room does not allow.
bool crosses_folders(std::string const& file, std::string const& code);
// It is in a room that has folders, and in none of them.
bool stands_beside_folders(std::string const& file);

} // namespace postrider::tests
