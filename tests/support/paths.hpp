#pragma once
// Where tests find what they run and read, wherever the tree and the build folder are. No absolute
// path is part of a compile command, so clones share what the compiler's cache holds.
#include <filesystem>
#include <string>
#include <string_view>

namespace postrider::tests {

// The absolute path of a program of the same build.
inline std::string built(std::string_view program) {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / program;
}

// The absolute path of a file of the source tree. Test programs start in its root.
inline std::string source(std::string_view file = "") {
    return std::filesystem::current_path() / file;
}

} // namespace postrider::tests
