#pragma once
// The command line, parsed: which command, its own options, and the settings given as flags. Pure:
// it reads nothing and prints nothing; help and mistakes come back as text.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace postrider::cli {

enum class command {
    serve,
    check,
    doctor,
    health,
    chat,
    migrate,
    jobs_list,
    jobs_show,
    jobs_tail,
    jobs_operate,
    lanes_list,
    lane_pause,
    lane_resume,
    lane_send_event,
    bot_pause,
    bot_resume,
    all_pause,
    all_resume,
    effects_list,
    effects_settle,
    schedules_list,
    schedules_show,
    schedules_set,
    schedules_remove,
    schedules_pause,
    schedules_resume,
    schedules_next,
    webhook_set,
    webhook_info,
    webhook_delete,
    token_create,
    token_list,
    token_revoke,
    executions_list,
    executions_show,
    flows_list,
    flows_show,
    flows_validate,
    flows_import,
    flows_export,
    flows_publish,
    flows_versions,
    flows_diff,
    flows_restore,
    flows_run,
    flows_archive,
    flows_unarchive,
    flows_delete,
    demo,
    version,
};

// Which jobs are meant; what is empty does not restrict.
struct job_choice {
    std::vector<std::string> states;
    std::string kind;
    std::string lane;
    std::string lane_text;
    std::string error_class;
    std::string after; // an instant, or how long ago
    std::string before;

    bool operator==(job_choice const&) const = default;
};

struct event_arguments {
    std::string type;
    std::string payload; // JSON
    std::optional<std::string> match;
};

struct schedule_arguments {
    std::string name;
    std::string cron; // of set, and the expression of next
    std::string at;
    std::string timezone = "UTC";
    std::string kind;
    std::string lane;
    std::string input; // JSON
    std::string missed = "once";
    std::string overlap = "queue";
    int count = 5;
};

struct flow_arguments {
    std::string name;
    std::string file;
    std::string version; // a number, draft or published; "" = what is usual
    std::string from = "published";
    std::string to = "draft";
    std::string note;
    std::string input; // JSON
    std::string trigger;
    bool publish = false;
    bool overwrite = false;
    bool archived = false;
};

struct arguments {
    cli::command command = cli::command::serve;
    std::map<std::string, std::string, std::less<>> flags; // settings key → value
    std::string config_file;
    bool json = false;

    bool online = false; // check
    std::string address; // health, chat, executions show; empty = where the configuration listens
    std::string agent;   // chat

    job_choice chosen;
    int limit = 20;                 // of listings
    std::int64_t below = 0;         // listings by job: the next page
    std::string behind;             // lanes list: the next page
    std::string status;             // lanes list
    std::int64_t job = 0;           // jobs show, executions show, effects
    std::vector<std::int64_t> jobs; // jobs tail, operations
    std::string verb;               // of jobs_operate and effects_settle
    std::string name;               // a lane's or an effect's key, a bot's or a token's name
    std::optional<std::string> from_step;
    std::string input; // jobs fork: JSON
    bool rollback = false;
    event_arguments event;
    int most = 100'000; // bulk operations
    bool yes = false;
    std::vector<std::string> say; // demo, chat
    std::string bot;              // bot webhook; "" = the only one, or main

    std::int64_t user = 0; // token create
    std::string role;
    std::string expires_in;
    std::int64_t token = 0; // token revoke

    schedule_arguments schedule;
    flow_arguments flow;
};

// Either what to do, or what to print instead and the exit code: help and version are 0 and belong
// on stdout, a mistake is 2 and belongs on stderr.
struct parsed_arguments {
    std::optional<arguments> values;
    int exit_code = 0;
    std::string text;
};

parsed_arguments parse_arguments(std::vector<std::string> const& args);

} // namespace postrider::cli
