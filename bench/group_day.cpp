#include "bench/group_day.hpp"

#include "agent/group/compaction.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace postrider::bench {

namespace {

using namespace std::chrono_literals;
namespace group = agent::group;

constexpr double quiet = 1;      // seconds that a group must be quiet
constexpr double patience = 10;  // and no longer than this
constexpr double kept_for = 300; // seconds of an entry of the cache
constexpr std::int64_t bytes_of_a_token = 4;
constexpr std::int64_t system_tokens = 3000;  // persona and tools
constexpr std::int64_t trailing_tokens = 120; // time and instruction
constexpr std::int64_t silent_tokens = 5;     // of an answer that says nothing
constexpr std::int64_t spoken_tokens = 60;    // of one that calls send_message
constexpr std::int64_t summary_tokens = 260;  // of 200 words
constexpr std::size_t looked_back = 20;       // blocks

// Messages of an hour, of a hundred of the day.
constexpr std::array<double, 24> hours{1, 1, 0.5, 0.5, 0.5, 0.5, 1, 2,  3,  4, 5, 5,
                                       6, 5, 5,   5,   5,   6,   8, 10, 11, 8, 4, 2};

class provider_cache {
public:
    // The tokens of the blocks up to the longest prefix that is there; afterwards those up to the marks are.
    std::int64_t take(
        std::vector<std::string> const& blocks, std::vector<std::size_t> const& marks, double now
    ) {
        std::erase_if(used_, [&](auto const& entry) { return entry.second + kept_for < now; });
        std::vector<std::string> prefixes(1);
        std::vector<std::int64_t> tokens(1, 0);
        for (auto const& block : blocks) {
            auto const hash = std::hash<std::string>{}(prefixes.back() + block);
            prefixes.push_back(std::to_string(hash));
            auto const size = static_cast<std::int64_t>(block.size());
            tokens.push_back(tokens.back() + size / bytes_of_a_token);
        }
        std::size_t read = 0;
        for (auto const mark : marks)
            for (auto at = mark; at > 0 && at + looked_back > mark; --at)
                if (used_.contains(prefixes[at])) {
                    read = std::max(read, at);
                    break;
                }
        if (read > 0) used_[prefixes[read]] = now;
        for (auto const mark : marks) used_[prefixes[mark]] = now;
        return tokens[read];
    }

private:
    std::map<std::string, double> used_; // by the prefix's hash
};

class day {
public:
    explicit day(day_plan const& plan) : plan_(plan), random_(plan.seed) {}

    day_result run() {
        auto const times = draw_times();
        double batch_began = times.front();
        for (std::size_t index = 0; index < times.size(); ++index) {
            hear(index, times[index]);
            bool const is_last = index + 1 == times.size();
            bool const is_quiet = is_last || times[index + 1] - times[index] > quiet;
            bool const is_late = times[index] - batch_began >= patience;
            if (!is_quiet && !is_late) continue;
            ask(times[index] + quiet);
            if (!is_last) batch_began = times[index + 1];
        }
        return result_;
    }

private:
    std::vector<double> draw_times() {
        std::discrete_distribution<int> hour(hours.begin(), hours.end());
        std::uniform_real_distribution<double> within(0, 3600);
        std::vector<double> times;
        for (int number = 0; number < plan_.messages; ++number)
            times.push_back(hour(random_) * 3600 + within(random_));
        std::ranges::sort(times);
        return times;
    }

    void hear(std::size_t index, double second) {
        std::lognormal_distribution<double> letters(3.6, 0.9);
        auto const length =
            std::min(static_cast<std::size_t>(letters(random_)) + 2, std::size_t{1500});
        group::context_message message;
        message.id = telegram_message_id{static_cast<std::int64_t>(index) + 1};
        message.user = user_id{1000 + static_cast<std::int64_t>(index % 40)};
        message.name = "member_" + std::to_string(index % 40);
        message.time = base::sys_time{std::chrono::seconds{static_cast<std::int64_t>(second)}};
        message.text.assign(length, 'x');
        conversation_.messages.push_back(std::move(message));
    }

    void ask(double now) {
        auto const pieces = group::pieces_of(conversation_, zone_);
        std::vector<std::string> blocks{std::string(system_tokens * bytes_of_a_token, 's')};
        blocks.insert(blocks.end(), pieces.begin(), pieces.end());
        std::vector<std::size_t> marks{1, blocks.size() - 1, blocks.size()};
        pay(blocks, marks, now);
        std::bernoulli_distribution speaks(1 / plan_.speaks_every);
        if (speaks(random_)) { // the round behind it has the same beginning
            result_.output += spoken_tokens;
            pay(blocks, marks, now + 3);
        }
        result_.output += silent_tokens;
        compact();
    }

    void pay(
        std::vector<std::string> const& blocks, std::vector<std::size_t> const& marks, double now
    ) {
        std::int64_t whole = 0;
        for (auto const& block : blocks)
            whole += static_cast<std::int64_t>(block.size()) / bytes_of_a_token;
        auto const cached = cache_.take(blocks, marks, now);
        ++result_.requests;
        result_.cached += cached;
        result_.written += whole - cached;
        result_.fresh += trailing_tokens;
    }

    void compact() {
        auto const plan = group::plan_compaction(conversation_, plan_.threshold, zone_);
        if (plan.messages == 0) return;
        ++result_.compactions;
        result_.summarised += static_cast<std::int64_t>(plan.prompt.size()) / bytes_of_a_token;
        result_.summaries += summary_tokens;
        auto& messages = conversation_.messages;
        messages.erase(
            messages.begin(), messages.begin() + static_cast<std::ptrdiff_t>(plan.messages)
        );
        conversation_.summary.assign(
            static_cast<std::size_t>(summary_tokens * bytes_of_a_token), 'y'
        );
        conversation_.summary += std::to_string(result_.compactions);
    }

    day_plan plan_;
    std::mt19937 random_;
    base::time_zone zone_ = base::find_time_zone("UTC").value();
    group::context conversation_{chat_id{-1001234567890}, "", {}};
    provider_cache cache_;
    day_result result_;
};

} // namespace

double day_result::cached_share() const {
    auto const whole = fresh + cached + written;
    return whole > 0 ? static_cast<double>(cached) / static_cast<double>(whole) : 0;
}

double day_result::cost(day_prices const& answers, day_prices const& summaries_at) const {
    auto const part = [](std::int64_t tokens, double price) {
        return static_cast<double>(tokens) * price / 1e6;
    };
    return part(fresh, answers.input) + part(cached, answers.cached) +
           part(written, answers.written) + part(output, answers.output) +
           part(summarised, summaries_at.input) + part(summaries, summaries_at.output);
}

day_result simulate_day(day_plan const& plan) {
    return day(plan).run();
}

} // namespace postrider::bench
