#include "agent/flow/nodes/compaction_job.hpp"

#include "agent/flow/nodes/lane_job.hpp"

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
    boost::json::object input{
        {"bot", base::raw(page.bot)},
        {"chat", base::raw(page.chat)},
        {"memory_lane", base::raw(page.lane)},
        {"turn", base::raw(page.turn)},
        {"most", page.most},
        {"zone", request.zone},
        {"flow", request.flow}};
    put_model_of_job(input, request.model);
    if (page.since) input["since"] = microseconds_of(*page.since);
    if (request.summarised)
        input["summarised"] = {base::raw(request.summarised->job), request.summarised->position};
    return enqueue_alone(
        fmt::format("compaction:{}", base::raw(page.lane)), compaction_kind, std::move(input)
    );
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
    request.model = model_of_job(root);
    if (root.failed()) return root.failure();
    return request;
}

} // namespace postrider::agent::flow
