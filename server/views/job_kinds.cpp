#include "server/views/job_kinds.hpp"

#include "agent/flow/execution_input.hpp"
#include "agent/speech/failure_notice.hpp"
#include "agent/speech/question_end.hpp"
#include "base/error.hpp"
#include "storage/stores/reminders.hpp"

#include <array>

namespace postrider::server {

std::span<std::string const> known_kinds() {
    static std::array const kinds{
        std::string(agent::flow::turn_kind),
        std::string(agent::flow::flow_kind),
        std::string(storage::reminder_kind),
        std::string(agent::failure_notice_kind),
        std::string(agent::question_end_kind)};
    return kinds;
}

std::span<std::string const> known_error_classes() {
    static auto const classes = [] {
        std::vector<std::string> all;
        for (int code = 1; code <= static_cast<int>(base::errc::internal); ++code)
            all.emplace_back(base::to_string(static_cast<base::errc>(code)));
        return all;
    }();
    return classes;
}

} // namespace postrider::server
