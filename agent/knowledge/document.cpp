#include "agent/knowledge/document.hpp"

#include "base/names.hpp"

namespace postrider::agent::knowledge {

namespace {

constexpr base::names<document_state, 3> state_names{{
    {document_state::reading, "reading"},
    {document_state::ready, "ready"},
    {document_state::failed, "failed"},
}};

std::string_view meaning_of(base::errc code) {
    switch (code) {
    case base::errc::timeout:
        return "The server that has it did not answer in time";
    case base::errc::rate_limited:
    case base::errc::overloaded:
        return "The server that has it takes no more requests at the moment";
    case base::errc::unavailable:
        return "The server that has it cannot be reached";
    default:
        return "The document cannot be read";
    }
}

} // namespace

std::string sentence_of(base::error const& failure) {
    std::string text(failure.detail.empty() ? meaning_of(failure.code) : failure.detail);
    if (text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    bool const is_ended = text.ends_with('.') || text.ends_with('!') || text.ends_with('?');
    return is_ended ? text : text + '.';
}

std::string_view to_string(document_state state) noexcept {
    return base::name_of(state_names, state);
}

std::optional<document_state> document_state_from_string(std::string_view name) noexcept {
    return base::named(state_names, name);
}

} // namespace postrider::agent::knowledge
