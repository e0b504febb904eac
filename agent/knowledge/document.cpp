#include "agent/knowledge/document.hpp"

#include "base/names.hpp"

namespace postrider::agent::knowledge {

namespace {

constexpr base::names<document_state, 4> state_names{{
    {document_state::reading, "reading"},
    {document_state::embedding, "embedding"},
    {document_state::ready, "ready"},
    {document_state::failed, "failed"},
}};

} // namespace

std::string_view to_string(document_state state) noexcept {
    return base::name_of(state_names, state);
}

std::optional<document_state> document_state_from_string(std::string_view name) noexcept {
    return base::named(state_names, name);
}

} // namespace postrider::agent::knowledge
