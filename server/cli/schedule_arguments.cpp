// The grammar of schedules.
#include "server/cli/argument_groups.hpp"

namespace postrider::cli {

namespace {

void add_timezone(CLI::App* to, arguments& into) {
    to->add_option("--timezone", into.schedule.timezone, "Whose wall clock is meant (UTC)")
        ->type_name("ZONE");
}

CLI::App* add_named(
    CLI::App& parent, arguments& into, char const* name, char const* help, command means
) {
    auto* sub = add_command(parent, into, name, help, means);
    sub->add_option("NAME", into.schedule.name, "The schedule's name")->required();
    return sub;
}

void add_definition(CLI::App* set, arguments& into) {
    auto& to = into.schedule;
    auto* cron = set->add_option("--cron", to.cron, "Five fields, six with seconds, or @daily");
    auto* at = set->add_option("--at", to.at, "Once, such as 2026-12-24T18:00");
    cron->excludes(at);
    add_timezone(set, into);
    set->add_option("--kind", to.kind, "The kind of job")->required();
    set->add_option("--input", to.input, "Its input")->type_name("JSON");
    set->add_option("--lane", to.lane, "The lane's key (schedule:NAME)")->type_name("KEY");
    set->add_option("--missed", to.missed, "Times that passed unseen: skip, once, all (once)")
        ->check(CLI::IsMember({"skip", "once", "all"}));
    set->add_option("--overlap", to.overlap, "While the last run is not over: queue, skip (queue)")
        ->check(CLI::IsMember({"queue", "skip"}));
    add_json(set, into);
}

} // namespace

void add_schedules(CLI::App& app, arguments& into) {
    auto& all = *add_group(app, "schedules", "Jobs that recur, or run once at a time");
    add_json(add_command(all, into, "list", "All of them", command::schedules_list), into);
    add_json(
        add_named(all, into, "show", "One, with its next times", command::schedules_show), into
    );
    add_definition(
        add_named(all, into, "set", "Add it or change it", command::schedules_set), into
    );
    add_named(all, into, "remove", "Remove it; jobs it has made stay", command::schedules_remove);
    add_named(all, into, "pause", "Hold it", command::schedules_pause);
    add_named(
        all, into, "resume", "Let it go on with the times that come", command::schedules_resume
    );
    auto* next =
        add_command(all, into, "next", "When an expression comes next", command::schedules_next);
    next->add_option("EXPRESSION", into.schedule.cron, "Such as \"0 9 * * mon-fri\"")->required();
    next->add_option("--count", into.schedule.count, "How many (5)")->check(CLI::Range(1, 1000));
    add_timezone(next, into);
    add_json(next, into);
}

} // namespace postrider::cli
