#include "agent/flow/trigger.hpp"

#include "agent/flow/catalog.hpp"

namespace postrider::agent::flow {

trigger const* trigger_of(node const& of, catalog const& types) noexcept {
    if (of.disabled) return nullptr;
    auto const* type = types.find(of.type, of.type_version);
    if (!type) type = types.find(of.type);
    return type ? std::get_if<trigger>(&type->behaviour) : nullptr;
}

} // namespace postrider::agent::flow
