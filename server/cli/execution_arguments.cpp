// The grammar of executions.
#include "server/cli/argument_groups.hpp"

namespace postrider::cli {

void add_executions(CLI::App& app, arguments& into) {
    auto& all = *add_group(app, "executions", "Look at the jobs that run flows");
    auto* list = add_command(all, into, "list", "The newest executions", command::executions_list);
    list->add_option("--flow", into.flow.name, "Only of this flow")->type_name("NAME");
    list->add_option("--version", into.flow.version, "Only those that have pinned this version")
        ->check(version_number())
        ->type_name("N");
    add_states(list, into);
    list->add_option("--error", into.chosen.error_class, "Only those that failed like this")
        ->type_name("CLASS");
    list->add_option("--after", into.chosen.after, "Only those made since: 2h, or an instant")
        ->type_name("WHEN");
    list->add_option("--before", into.chosen.before, "Only those made before")->type_name("WHEN");
    list->add_option("--limit", into.limit, "How many (20)")->check(CLI::Range(1, 1000));
    list->add_option("--below", into.below, "Only those with smaller ids: the next page")
        ->check(id_number());
    add_json(list, into);
    auto* show = add_command(
        all,
        into,
        "show",
        "One, with what went through its nodes; asks the running server",
        command::executions_show
    );
    show->add_option("ID", into.job, "The job's id")->required()->check(id_number());
    add_address(show, into);
    add_json(show, into);
}

} // namespace postrider::cli
