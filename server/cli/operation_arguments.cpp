// The grammar of what is done to jobs, lanes, bots, everything and effects.
#include "server/cli/argument_groups.hpp"

#include <limits>

namespace postrider::cli {

namespace {

constexpr char const* const states[] = {
    "available",
    "scheduled",
    "running",
    "waiting",
    "retryable",
    "completed",
    "failed",
    "cancelled",
    "paused"};

void add_filter(CLI::App* to, arguments& into) {
    add_states(to, into);
    to->add_option("--kind", into.chosen.kind, "Only jobs of this kind")->type_name("KIND");
    to->add_option("--lane", into.chosen.lane, "Only jobs of the lane with this key")
        ->type_name("KEY");
    to->add_option("--lane-has", into.chosen.lane_text, "Only lanes with this text in their key")
        ->type_name("TEXT");
    to->add_option("--error", into.chosen.error_class, "Only jobs with an error of this class")
        ->type_name("CLASS");
    auto* after = to->add_option(
        "--after",
        into.chosen.after,
        "Created at this instant (ISO 8601) or so long ago (2h), or later"
    );
    auto* before = to->add_option("--before", into.chosen.before, "Created before");
    after->type_name("WHEN");
    before->type_name("WHEN");
}

// One or more ids, or a filter that chooses them.
CLI::App* add_operation(
    CLI::App& jobs,
    arguments& into,
    std::string const& name,
    std::string const& help,
    bool by_filter = true
) {
    auto* sub = jobs.add_subcommand(name, help);
    sub->fallthrough();
    sub->callback([&into, name] {
        into.command = command::jobs_operate;
        into.verb = name;
    });
    auto* ids = sub->add_option("ID", into.jobs, "The jobs' ids")->check(id_number());
    add_json(sub, into);
    if (!by_filter) {
        ids->required();
        return sub;
    }
    add_filter(sub, into);
    sub->add_option("--limit", into.most, "Of those chosen: so many, the newest first")
        ->check(CLI::Range(1, std::numeric_limits<int>::max()));
    sub->add_flag("--yes,-y", into.yes, "Do not ask whether to go on");
    return sub;
}

void add_event(CLI::App* to, arguments& into) {
    to->add_option("--type", into.event.type, "What a job waits for")
        ->required()
        ->type_name("TYPE");
    to->add_option("--payload", into.event.payload, "What the job gets")->type_name("JSON");
    to->add_option("--match", into.event.match, "The id it answers, where the wait asks for one")
        ->type_name("ID");
}

void add_from_step(CLI::App* to, arguments& into) {
    to->add_option("--from-step", into.from_step, "Keep what is recorded before this step")
        ->type_name("KEY");
}

void add_named(
    CLI::App& parent,
    arguments& into,
    std::string const& name,
    std::string const& help,
    std::string const& placeholder,
    command means
) {
    auto* sub = add_command(parent, into, name, help, means);
    sub->add_option(placeholder, into.name, "Its name")->required();
    add_json(sub, into);
}

} // namespace

void add_states(CLI::App* to, arguments& into) {
    to->add_option("--state", into.chosen.states, "Only jobs in this state; may be repeated")
        ->check(CLI::IsMember(std::vector<std::string>(std::begin(states), std::end(states))))
        ->allow_extra_args(false);
}

void add_jobs(CLI::App& app, arguments& into) {
    auto& jobs = *add_group(app, "jobs", "Look at jobs and change what becomes of them");
    auto* list = add_command(jobs, into, "list", "The newest jobs", command::jobs_list);
    add_filter(list, into);
    list->add_option("--limit", into.limit, "How many (20)")->check(CLI::Range(1, 1000));
    list->add_option("--below", into.below, "Only jobs with smaller ids: the next page")
        ->check(id_number());
    add_json(list, into);
    auto* show =
        add_command(jobs, into, "show", "One job with its steps and effects", command::jobs_show);
    show->add_option("ID", into.job, "The job's id")->required()->check(id_number());
    add_json(show, into);
    auto* tail = add_command(
        jobs,
        into,
        "tail",
        "What happens to jobs, until Ctrl-C or until those named are over",
        command::jobs_tail
    );
    tail->add_option("ID", into.jobs, "Only these jobs")->check(id_number());
    add_filter(tail, into);
    add_json(tail, into);

    add_operation(jobs, into, "retry", "Let failed jobs go on from their record");
    add_from_step(
        add_operation(jobs, into, "restart", "Run jobs anew that are over, parked or paused"), into
    );
    auto* fork = add_operation(jobs, into, "fork", "A new job with this one's input", false);
    add_from_step(fork, into);
    fork->add_option("--input", into.input, "Another input")->type_name("JSON");
    add_operation(jobs, into, "cancel", "End jobs that are not over")
        ->add_flag("--rollback", into.rollback, "Undo first what their steps have done");
    add_operation(jobs, into, "pause", "Hold jobs");
    add_operation(jobs, into, "resume", "Let paused jobs go on");
    add_event(add_operation(jobs, into, "send-event", "Tell jobs what they wait for", false), into);
}

void add_lanes(CLI::App& app, arguments& into) {
    auto& lanes = *add_group(app, "lanes", "Look at conversations' queues, hold them, let them go");
    auto* list =
        add_command(lanes, into, "list", "Lanes with work, and the paused", command::lanes_list);
    list->add_option("--status", into.status, "Only lanes that are so")
        ->check(CLI::IsMember({"idle", "ready", "waiting", "running", "paused"}));
    list->add_option("--lane", into.chosen.lane, "Only the lane with this key")->type_name("KEY");
    list->add_option("--lane-has", into.chosen.lane_text, "Only lanes with this text in their key")
        ->type_name("TEXT");
    list->add_option("--limit", into.limit, "How many (20)")->check(CLI::Range(1, 1000));
    list->add_option("--behind", into.behind, "Only keys behind this one: the next page")
        ->type_name("KEY");
    add_json(list, into);
    add_named(lanes, into, "pause", "Hold a lane", "KEY", command::lane_pause);
    add_named(lanes, into, "resume", "Let a paused lane go on", "KEY", command::lane_resume);
    auto* event = add_command(
        lanes,
        into,
        "send-event",
        "Tell whichever job of a lane waits for it",
        command::lane_send_event
    );
    event->add_option("KEY", into.name, "The lane's key")->required();
    add_event(event, into);
    add_json(event, into);
}

void add_effects(CLI::App& app, arguments& into) {
    auto& effects = *add_group(app, "effects", "What was sent or done, and nobody knows whether");
    auto* list = add_command(effects, into, "list", "Effects in doubt", command::effects_list);
    list->add_option("--limit", into.limit, "How many (20)")->check(CLI::Range(1, 1000));
    list->add_option("--below", into.below, "Only jobs with smaller ids: the next page")
        ->check(id_number());
    add_json(list, into);
    auto settle = [&](std::string const& name, std::string const& help) {
        auto* sub = effects.add_subcommand(name, help);
        sub->fallthrough();
        sub->callback([&into, name] {
            into.command = command::effects_settle;
            into.verb = name;
        });
        sub->add_option("ID", into.job, "The job's id")->required()->check(id_number());
        sub->add_option("KEY", into.name, "The effect's key")->required();
        add_json(sub, into);
    };
    settle("done", "It has happened");
    settle("resend", "Do it again");
    settle("drop", "It has not happened, and shall not");
}

void add_pauses(CLI::App& app, arguments& into) {
    add_json(
        add_command(
            app, into, "pause", "Hold all lanes; updates are taken and wait", command::all_pause
        ),
        into
    );
    add_json(
        add_command(app, into, "resume", "End a pause of everything", command::all_resume), into
    );
}

void add_bot_pauses(CLI::App& bot, arguments& into) {
    add_named(bot, into, "pause", "Hold a bot's lanes", "NAME", command::bot_pause);
    add_named(bot, into, "resume", "Let a paused bot's lanes go on", "NAME", command::bot_resume);
}

} // namespace postrider::cli
