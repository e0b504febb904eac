#include "agent/flow/n8n/unique_names.hpp"

#include "base/utf8.hpp"

namespace postrider::agent::flow::n8n {

std::string short_name(std::string_view name, std::size_t bytes) {
    std::string result(base::cut_at_character(name, bytes));
    for (auto& c : result)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return result;
}

std::string unique_names::add(std::string name, std::string_view separator) {
    auto const [place, fresh] = taken_.try_emplace(name, 1);
    if (fresh) return name;
    auto const start = name + std::string(separator);
    do {
        name = start + std::to_string(++place->second);
    } while (!taken_.try_emplace(name, 1).second);
    return name;
}

unique_names output_names() {
    unique_names names;
    for (auto const* name : {"otherwise", "error"}) names.add(name, " ");
    return names;
}

} // namespace postrider::agent::flow::n8n
