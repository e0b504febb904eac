// How much spam the filter finds, how often it is wrong, and how fast it is. Cross-validation: the samples are divided at
// random into parts, and each part is judged by a filter that was trained with the others.
//
//     postrider_bench_spam [--seeds 5] [--set KEY=VALUE]... [--list]
//     postrider_bench_spam --split FOLDER     writes part 0 of 2 as mailboxes, for other filters
#include "agent/spam/verdict.hpp"
#include "base/clock.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

namespace {

using namespace postrider;
namespace spam = agent::spam;

struct division {
    unsigned seed = 1;
    std::size_t parts = 2;
    std::vector<std::size_t> part; // of each sample

    division(unsigned seed_number, std::size_t count) : seed(seed_number), parts(count) {
        std::vector<std::size_t> order(spam::public_samples().size());
        for (std::size_t at = 0; at < order.size(); ++at) order[at] = at;
        std::mt19937 random(seed);
        for (auto at = order.size(); at > 1; --at) std::swap(order[at - 1], order[random() % at]);
        part.resize(order.size());
        for (std::size_t at = 0; at < order.size(); ++at) part[order[at]] = at % parts;
    }
};

struct mistakes {
    std::size_t missed = 0;
    std::size_t false_alarms = 0;
};

void list_mistake(spam::sample const& sample, spam::verdict const& verdict) {
    fmt::print(
        "  {:.0f} points, {}: {}\n    {}\n",
        verdict.points,
        name_of(sample.kind),
        sample.text.substr(0, 160),
        verdict.reason()
    );
}

mistakes validate(division const& divided, spam::rules const& rules, bool list) {
    auto const& samples = spam::public_samples();
    static auto const untrained = [] {
        spam::knowledge knowledge;
        knowledge.set_stop_words(spam::default_stop_words());
        for (auto const& sample : spam::everyday_samples()) knowledge.add(sample);
        return knowledge;
    }();
    mistakes count;
    for (std::size_t part = 0; part < divided.parts; ++part) {
        auto learned = untrained;
        for (std::size_t at = 0; at < samples.size(); ++at)
            if (divided.part[at] != part) learned.add(samples[at]);
        for (std::size_t at = 0; at < samples.size(); ++at) {
            if (divided.part[at] != part) continue;
            bool const is_spam = samples[at].kind == spam::kind::spam;
            auto const verdict = spam::judge(spam::message_of(samples[at].text), learned, rules);
            if (verdict.is_spam == is_spam) continue;
            ++(is_spam ? count.missed : count.false_alarms);
            if (list) list_mistake(samples[at], verdict);
        }
    }
    return count;
}

void print_validation(unsigned seeds, spam::rules const& rules, bool list) {
    auto const& samples = spam::public_samples();
    auto const spam_count =
        static_cast<double>(std::ranges::count(samples, spam::kind::spam, &spam::sample::kind));
    fmt::print(
        "{:.0f} samples of spam, {:.0f} of ham\n\n| parts | seed | spam found | false alarms |\n"
        "|---|---|---|---|\n",
        spam_count,
        double(samples.size()) - spam_count
    );
    for (auto const parts : {2U, 5U, 10U}) {
        double detected = 0, alarms = 0;
        for (unsigned seed = 1; seed <= seeds; ++seed) {
            auto const count = validate(division(seed, parts), rules, list);
            auto const share = 100 * (1 - double(count.missed) / spam_count);
            fmt::print("| {} | {} | {:.1f} % | {} |\n", parts, seed, share, count.false_alarms);
            detected += share / seeds;
            alarms += double(count.false_alarms) / seeds;
        }
        fmt::print("| {} | mean | {:.1f} % | {:.2f} |\n", parts, detected, alarms);
    }
}

void print_speed(int seconds, spam::rules const& rules) {
    auto const& learned = spam::default_knowledge();
    std::vector<spam::message> messages;
    for (auto const& sample : spam::public_samples())
        messages.push_back(spam::message_of(sample.text));
    auto& clock = base::system_clock();
    std::size_t count = 0, spam_count = 0;
    auto const begin = clock.steady();
    while (clock.steady() - begin < std::chrono::seconds(seconds))
        for (auto const& message : messages) {
            spam_count += spam::judge(message, learned, rules).is_spam;
            ++count;
        }
    auto const total = std::chrono::duration<double>(clock.steady() - begin).count();
    fmt::print(
        "\nall checks on one core: {:.0f} messages/s ({:.0f} % spam)\n",
        double(count) / total,
        100 * double(spam_count) / double(count)
    );
}

// train and test mailboxes of each kind.
void write_mailboxes(std::filesystem::path const& folder, unsigned seed) {
    auto const& samples = spam::public_samples();
    division const divided(seed, 2);
    for (std::size_t at = 0; at < samples.size(); ++at) {
        auto const file = fmt::format(
            "{}.{}", divided.part[at] == 0 ? "test" : "train", name_of(samples[at].kind)
        );
        std::ofstream(folder / file, std::ios::app)
            << "From bench@localhost Thu Jan  1 00:00:00 1970\n"
               "Content-Type: text/plain; charset=utf-8\n\n"
            << samples[at].text << "\n\n";
    }
}

} // namespace

int main(int argc, char** argv) {
    unsigned seeds = 5;
    unsigned seed = 1;
    int seconds = 3;
    bool list = false;
    std::string folder;
    std::vector<std::string> assignments;
    CLI::App cli{"How much spam the filter finds, how often it is wrong, and how fast it is"};
    cli.add_option("--seeds", seeds, "number of random divisions");
    cli.add_option("--seed", seed, "of --split");
    cli.add_option("--seconds", seconds, "how long the speed is measured");
    cli.add_option("--set", assignments, "a rule as KEY=VALUE");
    cli.add_option("--split", folder, "writes one division as mailboxes there, and ends");
    cli.add_flag("--list", list, "prints each mistake");
    CLI11_PARSE(cli, argc, argv);

    if (!folder.empty()) {
        write_mailboxes(folder, seed);
        return 0;
    }
    spam::rules rules;
    for (auto const& assignment : assignments)
        if (auto const set = rules.set(assignment); !set) {
            fmt::print(stderr, "{}\n", set.error().detail);
            return 2;
        }
    print_validation(seeds, rules, list);
    print_speed(seconds, rules);
    return 0;
}
