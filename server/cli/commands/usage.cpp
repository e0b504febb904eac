// `usage`: what was asked of models, and what it cost.
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/options.hpp"
#include "server/cli/table.hpp"
#include "server/views/usage_json.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

struct usage_arguments {
    std::string by = "day";
    int days = storage::usual_usage_days;
};

void declare_usage(option_parser& parser, usage_arguments& args) {
    parser.add_option("--by", args.by, "One line for each of these (day)")
        ->check(word_of(storage::usage_keys()))
        ->type_name("KEY");
    parser
        .add_option(
            "--days",
            args.days,
            fmt::format("The last so many, today included ({})", storage::usual_usage_days)
        )
        ->check(in_range(1, storage::most_usage_days))
        ->type_name("N");
}

// As in `jobs list`.
std::string dollars(std::int64_t cost_micro) {
    if (cost_micro == 0) return "-"; // no price is configured
    return fmt::format("{:.6f}", static_cast<double>(cost_micro) / 1e6);
}

cells cells_of(std::string subject, storage::usage_line const& line) {
    return {
        std::move(subject),
        std::to_string(line.calls),
        std::to_string(line.tokens_in),
        std::to_string(line.tokens_cached),
        std::to_string(line.tokens_out),
        dollars(line.cost_micro)};
}

std::string usage_text(storage::usage_report const& report) {
    std::vector<cells> lines;
    storage::usage_line sum;
    for (auto const& line : report.lines) {
        lines.push_back(cells_of(one_line(line.subject.value_or("-"), 60), line));
        sum.calls += line.calls;
        sum.tokens_in += line.tokens_in;
        sum.tokens_cached += line.tokens_cached;
        sum.tokens_out += line.tokens_out;
        sum.cost_micro += line.cost_micro;
    }
    lines.push_back(cells_of("all", sum));
    return table(
        {std::string(to_string(report.by)), "calls", "in", "of it cached", "out", "US dollars"},
        lines
    );
}

int run_usage(context const& in, usage_arguments const& args) {
    storage::usage_report report;
    int const code = in_database(in, "read the usage", [&](storage::transaction& tx) {
        report =
            storage::read_usage(tx, storage::usage_key_from_string(args.by).value(), args.days);
    });
    if (code != 0) return code;
    if (in.json) {
        in.out << base::json_text(server::usage_json(report)) << '\n';
    } else if (report.lines.empty()) {
        in.err << "No model call was paid for in that time.\n";
    } else {
        in.out << usage_text(report);
        in.err << fmt::format("Days begin at midnight in {}.\n", report.timezone);
    }
    return 0;
}

} // namespace

namespace commands {

extern constinit command const usage{
    .path = "usage",
    .summary = "Show the calls of models and their cost",
    .example = R"(postrider usage
postrider usage --by user --days 7 --json)",
    .prepare = with_options<declare_usage, run_usage>};

} // namespace commands

} // namespace postrider::cli
