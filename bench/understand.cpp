// How many messages a second the todo agent's rules understand on one core: the utterances of the
// tests' table in turn, as a flood of mixed people would send them.
//
//     postrider_bench_understand [--seconds 5] [--table tests/unit/agent/todo/utterances.json]
#include "agent/language/reading/understand.hpp"

#include "agent/language/assent.hpp"
#include "base/clock.hpp"

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

using namespace postrider;

std::vector<std::string> messages_of(std::string const& path) {
    std::ifstream file(path);
    std::string const text(std::istreambuf_iterator<char>(file), {});
    auto const table = boost::json::parse(text).as_object();
    std::vector<std::string> messages;
    for (auto const* list : {"says", "mutates_nothing"})
        for (auto const& row : table.at(list).as_array())
            messages.emplace_back(row.at("say").as_string());
    return messages;
}

} // namespace

int main(int argc, char** argv) {
    int seconds = 5;
    std::string path = "tests/unit/agent/todo/utterances.json";
    CLI::App cli{"How many messages a second the todo agent's rules understand"};
    cli.add_option("--seconds", seconds, "how long it is measured");
    cli.add_option("--table", path, "a table of utterances");
    CLI11_PARSE(cli, argc, argv);

    auto const messages = messages_of(path);
    auto const zone = base::find_time_zone("Europe/Berlin").value();
    auto& clock = base::system_clock();
    auto const now = clock.now();
    std::size_t intents = 0;
    auto const hear = [&](std::string const& message) {
        intents += agent::assent_of(message) == agent::assent::neither;
        intents += agent::language::understand(message, now, zone).intents.size();
    };
    for (auto const& message : messages) hear(message); // the vocabulary is made once

    std::vector<double> microseconds;
    auto const begin = clock.steady();
    auto const end = begin + std::chrono::seconds(seconds);
    for (auto last = begin; last < end;) {
        for (auto const& message : messages) {
            hear(message);
            auto const read = clock.steady();
            microseconds.push_back(std::chrono::duration<double, std::micro>(read - last).count());
            last = read;
        }
    }
    auto const total = std::chrono::duration<double>(clock.steady() - begin).count();
    std::ranges::sort(microseconds);
    auto const count = microseconds.size();
    fmt::print(
        "{} messages understood: {:.0f}/s, {:.0f} us (p50), {:.0f} us (p99)\n",
        count,
        double(count) / total,
        microseconds[count / 2],
        microseconds[count * 99 / 100]
    );
    return intents > 0 ? 0 : 1;
}
