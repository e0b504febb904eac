// The group bot's figures: a simulated day, or many groups with a slow model. Run by bench/group.
#include "base/log.hpp"
#include "bench/group_day.hpp"
#include "bench/group_load.hpp"

#include <CLI/CLI.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include <array>
#include <iostream>

namespace {

using namespace postrider;

struct priced_pair {
    std::string_view name;
    bench::day_prices answers;
    bench::day_prices summaries;
};

// List prices of November 2026.
constexpr bench::day_prices haiku{1, 0.1, 1.25, 5};
constexpr std::array pairs{
    priced_pair{"claude-opus-4-5 and claude-haiku-4-5", {5, 0.5, 6.25, 25}, haiku},
    priced_pair{"claude-opus-5-5 and claude-haiku-4-5", {4, 0.2, 5, 20}, haiku},
    priced_pair{"claude-haiku-4-5 alone", haiku, haiku},
};

void print_day(bench::day_plan const& plan) {
    auto const day = bench::simulate_day(plan);
    fmt::print("| a day of {} messages | |\n|---|---|\n", plan.messages);
    fmt::print("| requests | {} |\n| compactions | {} |\n", day.requests, day.compactions);
    fmt::print("| cached tokens | {:.1f} % |\n", 100 * day.cached_share());
    for (auto const& pair : pairs)
        fmt::print(
            "| {}, cost of 1,000 messages | ${:.2f} |\n",
            pair.name,
            day.cost(pair.answers, pair.summaries) * 1000 / plan.messages
        );
}

[[noreturn]] void stop_with(std::string_view reason) {
    std::cerr << "postrider_bench_group: " << reason << std::endl;
    std::quick_exit(1); // connections are in mid-air: nothing is worth unwinding
}

int run_load(bench::group_plan plan, bench::target target, std::int64_t first) {
    boost::asio::io_context context{1};
    auto source = bench::update_source::of_groups(
        std::move(target), plan.chats, update_id{first}, "claudir, what do you think?"
    );
    boost::asio::co_spawn(
        context,
        bench::run_groups(std::move(plan), std::move(source)),
        [&context](std::exception_ptr failure) {
            try {
                if (failure) std::rethrow_exception(failure);
            } catch (std::exception const& reason) {
                stop_with(reason.what());
            }
            context.stop();
        }
    );
    context.run();
    return 0;
}

} // namespace

int main(int count, char** values) {
    bench::day_plan day;
    bench::group_plan load;
    bench::target target;
    std::int64_t first = 1;
    int seconds = 60;
    CLI::App app{"Measures the group bot."};
    app.require_subcommand(1);
    auto* simulated = app.add_subcommand("day", "what a day costs, by simulation");
    simulated->add_option("--messages", day.messages)->check(CLI::PositiveNumber);
    simulated->add_option("--threshold", day.threshold, "tokens, of a compaction");
    simulated->add_option("--seed", day.seed);
    auto* many = app.add_subcommand("load", "many groups with a slow model");
    many->add_option("server", load.server, "host:port")->required();
    many->add_option("--stub", load.stub, "where to play Telegram and the model")->required();
    many->add_option("--secret", target.secret, "of the webhook");
    many->add_option("--chats", load.chats)->check(CLI::PositiveNumber);
    many->add_option("--rate", load.messages_per_second, "messages a second");
    many->add_option("--seconds", seconds);
    many->add_option("--first-update", first, "must be greater than in earlier runs");
    CLI11_PARSE(app, count, values);

    base::log::configure(base::log::level::warn, base::log::format::logfmt);
    if (simulated->parsed()) {
        print_day(day);
        return 0;
    }
    load.length = std::chrono::seconds{seconds};
    return run_load(std::move(load), std::move(target), first);
}
