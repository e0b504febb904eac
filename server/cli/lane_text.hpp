#pragma once
// A lane as people read it: its name in words, and its key where somebody may have to write it. Pure.
#include <string>

namespace postrider::cli {

// "main, chat 42"; the key where nothing names it.
inline std::string const& name_or_key(std::string const& name, std::string const& key) {
    return name.empty() ? key : name;
}

// "main, chat 42 (1:42:0)"; a key that is words already stands once.
inline std::string name_and_key(std::string const& name, std::string const& key) {
    return name.empty() || name == key ? key : name + " (" + key + ")";
}

} // namespace postrider::cli
