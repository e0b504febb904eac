#include "server/views/job_kinds.hpp"

#include "agent/flow/execution_input.hpp"
#include "agent/flow/nodes/compaction_job.hpp"
#include "agent/flow/nodes/embedding_job.hpp"
#include "agent/flow/nodes/extraction_job.hpp"
#include "agent/flow/nodes/redis_memory.hpp"
#include "agent/flow/nodes/summary_job.hpp"
#include "agent/moderation/by_hand.hpp"
#include "agent/moderation/press_job.hpp"
#include "agent/moderation/removal.hpp"
#include "agent/speech/failure_notice.hpp"
#include "agent/speech/owner_notice.hpp"
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
        std::string(agent::owner_notice_kind),
        std::string(agent::question_end_kind),
        std::string(agent::removal_kind),
        std::string(agent::act_by_hand_kind),
        std::string(agent::catch_press_kind),
        std::string(agent::flow::memory_write_kind),
        std::string(agent::flow::summary_kind),
        std::string(agent::flow::compaction_kind),
        std::string(agent::flow::extraction_kind),
        std::string(agent::flow::embedding_kind)};
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
