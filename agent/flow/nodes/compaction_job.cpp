#include "agent/flow/nodes/compaction_job.hpp"

#include "base/json/json.hpp"
#include "queue/store/later.hpp"
#include "storage/stores/lanes.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace postrider::agent::flow {

namespace {

std::int64_t microseconds_of(base::sys_time at) {
    return at.time_since_epoch().count();
}

} // namespace

// `memory_lane` is a name that postrider erase looks for.
std::vector<storage::write> compact_later(compaction_request const& request) {
    auto const& page = request.page;
    queue::later_job job;
    job.lane_key = fmt::format("compaction:{}", base::raw(page.lane));
    job.kind = std::string(compaction_kind);
    job.unique.emplace();
    job.unique->key = job.lane_key;
    boost::json::object input{
        {"bot", base::raw(page.bot)},
        {"chat", base::raw(page.chat)},
        {"memory_lane", base::raw(page.lane)},
        {"turn", base::raw(page.turn)},
        {"most", page.most},
        {"zone", request.zone},
        {"flow", request.flow},
        {"credential", request.model.credential},
        {"provider", request.model.provider},
        {"model", request.model.selected}};
    if (page.since) input["since"] = microseconds_of(*page.since);
    if (request.summarised)
        input["summarised"] = {base::raw(request.summarised->job), request.summarised->position};
    job.input = std::move(input);
    return {storage::ensure_lane({.key = job.lane_key}), queue::enqueue_later(job)};
}

base::result<compaction_request> compaction_request_from(boost::json::value const& input) {
    base::json_reader const root{input};
    compaction_request request;
    auto& page = request.page;
    page.bot = bot_id{root["bot"].int64()};
    page.chat = chat_id{root["chat"].int64()};
    page.lane = lane_id{root["memory_lane"].int64()};
    page.turn = job_id{root["turn"].int64()};
    page.most = static_cast<int>(root["most"].int64());
    if (auto const since = root["since"])
        page.since = base::sys_time{std::chrono::microseconds{since.int64()}};
    auto const place = root["summarised"].items_or_none();
    if (place.size() == 2)
        request.summarised = storage::group_place{job_id{place[0].int64()}, place[1].int64()};
    request.zone = root["zone"].string();
    request.flow = root["flow"].string();
    request.model.credential = root["credential"].string();
    request.model.provider = root["provider"].string_or("");
    request.model.selected = root["model"].string_or("");
    if (root.failed()) return root.failure();
    return request;
}

} // namespace postrider::agent::flow
