#pragma once
// Options that several commands take, each with its check. A value that is not fit is told with
// what would be.
#include "server/cli/command.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace postrider::cli {

// Lets only the number of a version pass: above 0.
CLI::Validator version_number();
// Lets only ids pass: of jobs, users and tokens.
CLI::Validator id_number();
// Lets only these words pass, and suggests one.
CLI::Validator word_of(std::vector<std::string> words);
// Lets no empty text pass.
CLI::Validator some_text();

// "ID": the one job that is meant.
void add_job(CLI::App& to, std::int64_t& job);
// "NAME".
void add_name(CLI::App& to, std::string& name, std::string const& help);
// "--address": where the running server is asked; "" = where the configuration listens.
void add_address(CLI::App& to, std::string& address);
// "--say", each a text to send.
void add_say(CLI::App& to, std::vector<std::string>& texts);

// A page of a listing by job.
struct page {
    int limit = 20;
    std::int64_t below = 0; // 0 = from the newest
};
void add_limit(CLI::App& to, int& limit);
void add_page(CLI::App& to, page& page);

struct event_options {
    std::string type;
    std::string payload; // JSON
    std::optional<std::string> match;
};
void add_event(CLI::App& to, event_options& event);

} // namespace postrider::cli
