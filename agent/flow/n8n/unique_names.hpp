#pragma once
// Names that are each there once: of nodes, and of a node's outputs.
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace postrider::agent::flow::n8n {

// The beginning of a name on one line, at most so many bytes of it and no part of a character.
std::string short_name(std::string_view name, std::size_t bytes);

class unique_names {
public:
    // The name, or where it is taken the name with the separator and the next free number.
    std::string add(std::string name, std::string_view separator);

private:
    std::map<std::string, std::size_t, std::less<>> taken_; // with the last number behind each
};

// For the outputs of a node that has more than those that its parameters name.
unique_names output_names();

} // namespace postrider::agent::flow::n8n
