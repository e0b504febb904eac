#include "agent/models/tool_list.hpp"

namespace postrider::agent {

tool_list::tool_list(std::vector<tool_spec> specs) {
    if (!specs.empty()) shared_ = std::make_shared<shared>(shared{std::move(specs), {}});
}

std::vector<tool_spec> const& tool_list::specs() const noexcept {
    static std::vector<tool_spec> const none;
    return shared_ ? shared_->specs : none;
}

std::string const& tool_list::declared_by(declaration declare) const {
    static std::string const none = "[]";
    if (!shared_) return none;
    auto const [at, is_new] = shared_->declared.try_emplace(declare);
    if (is_new) at->second = declare(*this);
    return at->second;
}

} // namespace postrider::agent
