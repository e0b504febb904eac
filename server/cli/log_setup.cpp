#include "server/cli/log_setup.hpp"

#include "server/start/config.hpp"

#include <algorithm>

namespace postrider::cli {

bool by_default(context const& in, std::string_view key) {
    return std::ranges::any_of(in.configured.effective, [&](auto const& line) {
        return line.key == key && line.source == "default";
    });
}

void configure_log(context const& in, bool quiet) {
    auto const& settings = in.configured.values;
    bool const asked = !by_default(in, "log.level");
    base::log::configure(
        quiet && !asked ? base::log::level::warn : settings.log_level, settings.log_format
    );
}

} // namespace postrider::cli
