#pragma once
// A file of NAME=value lines: settings that the server and the command line share. systemd, docker run and
// Compose read such files as well; docs/configuration.md says where they differ. Lines that begin with # or ;
// are comments, and no comment stands behind a value. A value may stand in single quotes, or in double quotes,
// where \" and \\ stand for " and \.
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::base {

struct environment_file {
    std::string path = {};
    std::map<std::string, std::string, std::less<>> values = {};
    std::map<std::string, int, std::less<>> lines = {}; // where each name is set
    std::vector<std::string> problems = {};             // each with path and line
    bool others_may_read = false;
};

// Pure. A name that is set twice has the value of its last line.
environment_file parse_environment_file(std::string path, std::string_view text);

// A file that cannot be read is a problem; one that is not there only where it is required.
environment_file read_environment_file(std::string path, bool required);

} // namespace postrider::base
