#include "agent/speech/owner_notice.hpp"

#include "agent/speech/speech.hpp"
#include "base/json/json.hpp"
#include "queue/store/later.hpp"
#include "storage/stores/lanes.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace postrider::agent {

namespace json = boost::json;

namespace {

constexpr std::chrono::hours said_once_in{24};
constexpr std::int64_t owner_notice_position = 2; // even, as of all that models read

base::awaitable<queue::outcome> say_to_owners(
    queue::workflow& steps, messenger& out, base::random_source& random
) {
    base::json_reader const input{steps.job().input};
    auto const text = input["text"].string_or("");
    std::int64_t reached = 0;
    int number = 0;
    for (auto const& chat : input["chats"].items_or_none()) {
        speech notice;
        notice.to = address_from(chat);
        notice.content.text = text;
        notice.row = row_at(owner_notice_position);
        notice.lane_key = own_lane_key(notice.to);
        auto const scope = steps.scope(fmt::format("chat{}", ++number));
        auto const delivered = co_await say(scope, {out, random}, std::move(notice));
        if (delivered.state == "sent") ++reached;
    }
    co_await steps.sleep("said", said_once_in);
    co_return queue::outcome::completed({{"reached", reached}});
}

} // namespace

std::vector<storage::write> tell_owners(owner_notice const& notice) {
    if (notice.chats.empty()) return {};
    queue::later_job job;
    job.lane_key = "owners:" + notice.key;
    job.kind = std::string(owner_notice_kind);
    job.unique.emplace();
    job.unique->key = job.lane_key;
    json::array chats;
    for (auto const& chat : notice.chats) chats.push_back(to_json(chat));
    job.input = json::object{{"chats", std::move(chats)}, {"text", notice.text}};
    return {storage::ensure_lane({.key = job.lane_key}), queue::enqueue_later(job)};
}

queue::job_kind make_owner_notices(messenger& out, base::random_source& random) {
    auto run = [&out, &random](queue::workflow& steps) {
        return say_to_owners(steps, out, random);
    };
    return {.name = std::string(owner_notice_kind), .run = run};
}

} // namespace postrider::agent
