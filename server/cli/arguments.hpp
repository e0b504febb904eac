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
    migrate,
    jobs_list,
    jobs_show,
    webhook_set,
    webhook_info,
    webhook_delete,
    token_create,
    token_list,
    token_revoke,
    demo,
    version,
};

struct arguments {
    cli::command command = cli::command::serve;
    std::map<std::string, std::string, std::less<>> flags; // settings key → value
    std::string config_file;
    bool json = false;

    bool online = false; // check
    std::string address; // health; empty = where the configuration listens

    std::string state; // jobs list
    std::string lane;
    int limit = 20;
    std::int64_t job = 0;         // jobs show
    std::vector<std::string> say; // demo

    std::int64_t user = 0; // token create
    std::string role;
    std::string name;
    std::string expires_in;
    std::int64_t token = 0; // token revoke
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
