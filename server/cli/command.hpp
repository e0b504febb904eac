#pragma once
// What every command gets, and the commands. Each returns its exit code: 0 done, 1 failed, 2 wrong
// configuration. Data goes to out, everything said about it to err.
#include "base/error.hpp"
#include "server/cli/arguments.hpp"
#include "server/start/config.hpp"

#include <iosfwd>
#include <string_view>

namespace postrider::cli {

struct context {
    arguments const& args;
    server::loaded_config const& configured; // without problems, except for check()
    std::ostream& out;
    std::ostream& err;
};

// "postrider: cannot …: <why>" on err, with a hint where one helps; returns 1.
int fail(context const& in, std::string_view doing, base::error const& why);

// The same for a wrong use that only the command can see, with where to look; returns 2.
int usage(context const& in, std::string_view wrong);

// That there is none of that id, and where to look; returns 1.
int no_such_job(context const& in, job_id job);

int check(context const& in);
int doctor(context const& in);
int health(context const& in);
int chat(context const& in);
int migrate(context const& in);
int version(context const& in);
int jobs_list(context const& in);
int jobs_show(context const& in);
int jobs_tail(context const& in);
int jobs_operate(context const& in);
int lanes_list(context const& in);
int lane_pause(context const& in);
int lane_resume(context const& in);
int lane_send_event(context const& in);
int bot_pause(context const& in);
int bot_resume(context const& in);
int all_pause(context const& in);
int all_resume(context const& in);
int effects_list(context const& in);
int effects_settle(context const& in);
int schedules_list(context const& in);
int schedules_show(context const& in);
int schedules_set(context const& in);
int schedules_remove(context const& in);
int schedules_pause(context const& in);
int schedules_resume(context const& in);
int schedules_next(context const& in);
int webhook_set(context const& in);
int webhook_info(context const& in);
int webhook_delete(context const& in);
int token_create(context const& in);
int token_list(context const& in);
int token_revoke(context const& in);
int executions_list(context const& in);
int executions_show(context const& in);
int flows_list(context const& in);
int flows_show(context const& in);
int flows_validate(context const& in);
int flows_import(context const& in);
int flows_export(context const& in);
int flows_publish(context const& in);
int flows_versions(context const& in);
int flows_diff(context const& in);
int flows_restore(context const& in);
int flows_run(context const& in);
int flows_archive(context const& in);
int flows_unarchive(context const& in);
int flows_delete(context const& in);

} // namespace postrider::cli
