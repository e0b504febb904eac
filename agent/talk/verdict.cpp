#include "agent/talk/verdict.hpp"

#include "base/names.hpp"

namespace postrider::agent {

namespace {

constexpr base::names<verdict, 4> verdicts{{
    {verdict::approved, "approved"},
    {verdict::rejected, "rejected"},
    {verdict::expired, "expired"},
    {verdict::withdrawn, "withdrawn"},
}};

} // namespace

std::string_view to_string(verdict v) noexcept {
    return base::name_of(verdicts, v);
}

std::optional<verdict> verdict_from_string(std::string_view name) noexcept {
    return base::named(verdicts, name);
}

std::string_view refusal_reason(verdict v) noexcept {
    switch (v) {
    case verdict::approved:
        return {};
    case verdict::rejected:
        return "approval_rejected";
    case verdict::expired:
        return "approval_expired";
    case verdict::withdrawn:
        return "approval_withdrawn";
    }
    return {};
}

std::optional<verdict> verdict_of(std::string_view reason) noexcept {
    for (auto const v : {verdict::rejected, verdict::expired, verdict::withdrawn})
        if (reason == refusal_reason(v)) return v;
    return std::nullopt;
}

} // namespace postrider::agent
