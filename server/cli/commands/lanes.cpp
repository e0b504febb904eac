// `lanes list|forget|pause|resume|send-event`, `bot pause|resume`, `pause` and `resume`: what is held and
// let go as a whole.
#include "server/cli/job_report.hpp"
#include "server/cli/listing.hpp"
#include "server/cli/operations.hpp"
#include "server/cli/parser/suggestion.hpp"
#include "server/start/config.hpp"

namespace postrider::cli {

namespace {

struct lane_choice {
    std::string status;
    std::string lane;
    std::string lane_text;
    int limit = 20;
    std::string cursor;
};

void declare_choice(option_parser& parser, lane_choice& args) {
    parser.add_option("--status", args.status, "Only lanes with this status")
        ->check(word_of({"idle", "ready", "waiting", "running", "paused"}))
        ->type_name("STATUS");
    parser.add_option("--lane", args.lane, "Only the lane with this key")->type_name("KEY");
    parser.add_option("--lane-has", args.lane_text, "Only lanes with this text in their key")
        ->type_name("TEXT");
    add_limit(parser, args.limit);
    add_cursor(parser, args.cursor);
}

int list_lanes(context const& in, lane_choice const& args) {
    std::vector<queue::lane_summary> lanes;
    std::vector<queue::pause_summary> pauses;
    queue::lane_filter const filter{args.status, args.lane, args.lane_text};
    int const code = in_database(in, "read the lanes", [&](storage::transaction& tx) {
        lanes = queue::list_lanes(tx, filter, args.cursor, args.limit);
        pauses = queue::list_pauses(tx);
    });
    if (code != 0) return code;
    bool const any =
        args.status.empty() && args.lane.empty() && args.lane_text.empty() && args.cursor.empty();
    print_listing(
        in,
        lanes,
        lanes,
        any ? "No lane has work; `postrider lanes list --status idle` shows those without."
            : "No lane matches."
    );
    if (std::ssize(lanes) == args.limit) tell_next_page(in, lanes.back().key);
    if (!in.json)
        for (auto const& pause_lane : pauses)
            in.err << fmt::format("{} is paused since {}\n", pause_lane.scope, pause_lane.since);
    return 0;
}

struct named_lane {
    std::string name;
};

void declare_key(option_parser& parser, named_lane& args) {
    parser.add_option("KEY", args.name, "The lane's key")->required()->check(some_text());
}

void declare_bot(option_parser& parser, named_lane& args) {
    add_name(parser, args.name, "The bot's name");
}

struct lane_event {
    std::string key;
    event_options event;
};

void declare_lane_event(option_parser& parser, lane_event& args) {
    parser.add_option("KEY", args.key, "The lane's key")->required()->check(some_text());
    add_event(parser, args.event);
}

queue::operation_result with_lane_hint(
    storage::transaction& tx, std::string const& key, queue::operation_result result
) {
    if (result.code != "not_found") return result;
    result.detail += hint_and(lane_suggestion(tx, key), "`postrider lanes list` shows all");
    return result;
}

int pause_lane(context const& in, named_lane const& args) {
    return operate_once(in, [&](auto& tx) {
        return with_lane_hint(tx, args.name, queue::pause_lane(tx, args.name));
    });
}

// Some messages in each transaction: in between the lane's turns go on.
int forget_lane(context const& in, named_lane const& args) {
    std::vector<queue::operation_result> results;
    int code = 0;
    while (code == 0 && (results.empty() || results.back().state == queue::forgetting)) {
        auto& page = results.emplace_back();
        code = in_database(in, "do that", [&](storage::transaction& tx) {
            page = with_lane_hint(tx, args.name, queue::forget_lane(tx, args.name));
        });
    }
    return code == 0 ? tell(in, results) : code;
}

int resume_lane(context const& in, named_lane const& args) {
    return operate_once(in, [&](auto& tx) {
        return with_lane_hint(tx, args.name, queue::resume_lane(tx, args.name));
    });
}

int send_event(context const& in, lane_event const& args) {
    auto event = event_of(args.event);
    if (!event) return usage(in, event.error().detail);
    return operate_once(in, [&](auto& tx) {
        return with_lane_hint(tx, args.key, queue::send_lane_event(tx, args.key, *event));
    });
}

// A name that is not known is likely a slip.
queue::operation_result with_hint(
    context const& in, std::string const& name, queue::operation_result result
) {
    if (result.code != "not_found") return result;
    std::vector<std::string> names;
    for (auto const& bot : in.configured.values.bots) names.push_back(bot.name);
    result.detail += suggestion(name, names);
    return result;
}

int hold_bot(context const& in, named_lane const& args) {
    return operate_once(in, [&](auto& tx) {
        return with_hint(in, args.name, queue::pause_bot(tx, args.name));
    });
}

int free_bot(context const& in, named_lane const& args) {
    return operate_once(in, [&](auto& tx) {
        return with_hint(in, args.name, queue::resume_bot(tx, args.name));
    });
}

int hold_all(context const& in) {
    return operate_once(in, queue::pause_all);
}

int free_all(context const& in) {
    return operate_once(in, queue::resume_all);
}

} // namespace

namespace commands {

extern constinit command const lanes_list{
    .path = "lanes list",
    .summary = "List lanes with work, and paused lanes",
    .example = R"(postrider lanes list --status paused)",
    .prepare = with_options<declare_choice, list_lanes>};

extern constinit command const lanes_forget{
    .path = "lanes forget",
    .summary = "Delete a chat's messages for good",
    .example = "postrider lanes forget 1:42:0",
    .prepare = with_options<declare_key, forget_lane>};

extern constinit command const lanes_pause{
    .path = "lanes pause",
    .summary = "Hold a lane",
    .example = "postrider lanes pause 1:42:0",
    .prepare = with_options<declare_key, pause_lane>};

extern constinit command const lanes_resume{
    .path = "lanes resume",
    .summary = "Resume a paused lane",
    .example = "postrider lanes resume 1:42:0",
    .prepare = with_options<declare_key, resume_lane>};

extern constinit command const lanes_send_event{
    .path = "lanes send-event",
    .summary = "Tell the job of a lane that waits for an event",
    .example = R"(postrider lanes send-event 1:42:0 --type paid --payload '{"amount": 12}')",
    .prepare = with_options<declare_lane_event, send_event>};

extern constinit command const bot_pause{
    .path = "bot pause",
    .summary = "Hold a bot's lanes",
    .example = "postrider bot pause main",
    .prepare = with_options<declare_bot, hold_bot>};

extern constinit command const bot_resume{
    .path = "bot resume",
    .summary = "Resume a paused bot's lanes",
    .example = "postrider bot resume main",
    .prepare = with_options<declare_bot, free_bot>};

extern constinit command const pause_all{
    .path = "pause",
    .summary = "Hold all lanes; updates are taken and wait",
    .example = "postrider pause",
    .prepare = without_options<hold_all>};

extern constinit command const resume_all{
    .path = "resume",
    .summary = "End a pause of everything",
    .example = "postrider resume",
    .prepare = without_options<free_all>};

} // namespace commands

} // namespace postrider::cli
