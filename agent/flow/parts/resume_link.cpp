#include "agent/flow/parts/resume_link.hpp"

#include "net/digest.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

std::string resume_code(resume_links const& links, queue::workflow const& steps) {
    constexpr std::size_t digits = 40; // 160 bits
    auto const& job = steps.job();
    auto const node =
        fmt::format("resume\n{}\n{}\n{}", base::raw(job.id), job.restarts, steps.prefix());
    return net::hmac_sha256_hex(links.key.reveal(), node).substr(0, digits);
}

std::string resume_url(resume_links const& links, queue::workflow const& steps) {
    if (links.base.empty() || links.key.empty()) return {};
    return fmt::format(
        "{}/resume/{}/{}", links.base, base::raw(steps.job().id), resume_code(links, steps)
    );
}

} // namespace postrider::agent::flow
