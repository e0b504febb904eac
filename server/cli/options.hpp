#pragma once
// Options that several commands take, each with its check. A value that is not fit is told with
// what would be.
#include "server/cli/command.hpp"
#include "server/cli/parser/option_parser.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace postrider::cli {

// Lets only the number of a version pass: above 0.
value_check version_number();
// Lets a version's number pass, draft and published.
value_check version_name();
// Lets only ids pass: of jobs, users and tokens.
value_check id_number();
// Lets only these words pass, and suggests one.
value_check word_of(std::vector<std::string> words);
// Lets no empty text pass.
value_check some_text();

// "ID": the one job that is meant.
void add_job(option_parser& parser, std::int64_t& job);
// "NAME".
void add_name(option_parser& parser, std::string& name, std::string const& help);
// "--address": where the running server is asked; "" = where the configuration listens.
void add_address(option_parser& parser, std::string& address);
// "--say", each a text to send.
void add_say(option_parser& parser, std::vector<std::string>& texts);

// A page of a listing by job.
struct page {
    int limit = 20;
    std::int64_t cursor = 0; // 0 = from the newest
};
void add_limit(option_parser& parser, int& limit);
void add_page(option_parser& parser, page& page);
// Where the next page begins, of any listing.
void add_cursor(option_parser& parser, std::int64_t& cursor);
void add_cursor(option_parser& parser, std::string& cursor);

struct event_options {
    std::string type;
    std::string payload; // JSON
    std::optional<std::string> match;
};
void add_event(option_parser& parser, event_options& event);

} // namespace postrider::cli
