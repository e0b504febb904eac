#include "agent/recall/memory.hpp"

#include "agent/language/reading/understand.hpp"
#include "base/names.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

namespace postrider::agent::recall {

namespace {

constexpr base::names<memory_kind, 3> kind_names{{
    {memory_kind::note, "note"},
    {memory_kind::fact, "fact"},
    {memory_kind::summary, "summary"},
}};

constexpr std::size_t bytes_of_a_day = 10; // 2026-11-30

} // namespace

std::string_view to_string(memory_kind kind) noexcept {
    return base::name_of(kind_names, kind);
}

std::optional<memory_kind> memory_kind_from_string(std::string_view name) noexcept {
    return base::named(kind_names, name);
}

std::string_view language_of_memory(std::string_view text) {
    return language::language_of(base::cut_at_character(text, language::longest_message));
}

boost::json::array said_by_json(recalled_memory const& memory) {
    boost::json::array people;
    for (auto const person : memory.said_by) people.push_back(base::raw(person));
    return people;
}

std::string lines_of(std::vector<recalled_memory> const& memories) {
    std::string lines;
    for (auto const& memory : memories) {
        if (!lines.empty()) lines += '\n';
        auto const day = std::string_view(memory.created_at).substr(0, bytes_of_a_day);
        lines += fmt::format("- {}: {}", day, memory.text);
    }
    return lines;
}

} // namespace postrider::agent::recall
