#include "base/fault.hpp"

#include "base/log.hpp"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <mutex>
#include <optional>

namespace postrider::base::fault {

namespace {

enum class action { kill, stop, fail };

struct trap {
    std::string name;
    action effect;
    int hit; // counts down to the one that acts
};

std::mutex guard;
std::vector<trap> traps;

result<trap> parse(std::string_view entry) {
    auto first = entry.find(':');
    if (first == entry.npos)
        return error(errc::invalid, "fault without an action: " + std::string(entry));
    auto name = entry.substr(0, first);
    auto rest = entry.substr(first + 1);
    auto second = rest.find(':');
    auto word = rest.substr(0, second);
    trap parsed{std::string(name), action::kill, 1};
    if (std::ranges::find(names(), name) == names().end())
        return error(errc::invalid, "unknown fault point: " + std::string(name));
    if (word == "stop")
        parsed.effect = action::stop;
    else if (word == "error")
        parsed.effect = action::fail;
    else if (word != "kill")
        return error(errc::invalid, "unknown fault action: " + std::string(word));
    if (second != rest.npos) {
        auto number = rest.substr(second + 1);
        auto [end, ec] = std::from_chars(number.data(), number.data() + number.size(), parsed.hit);
        if (ec != std::errc{} || end != number.data() + number.size() || parsed.hit < 1)
            return error(errc::invalid, "not a hit number: " + std::string(number));
    }
    return parsed;
}

} // namespace

std::vector<std::string_view> const& names() {
    static std::vector<std::string_view> const known_names{
        "ingest.before_commit",
        "ingest.after_commit",
        "turn.started",
        "turn.after_history",
        "turn.before_model",
        "turn.after_model",
        "checkpoint.before_commit",
        "checkpoint.after_commit",
        "turn.before_send",
        "turn.after_send",
        "outcome.before_commit",
        "outcome.after_commit",
        "schedule.before_commit",
        "hook.committed",
        "tasks.before_commit",
        "tasks.after_commit",
    };
    return known_names;
}

result<void> arm(std::string_view plan) {
    std::vector<trap> armed;
    while (!plan.empty()) {
        auto comma = plan.find(',');
        auto parsed = parse(plan.substr(0, comma));
        if (!parsed) return parsed.error();
        armed.push_back(*parsed);
        plan = comma == plan.npos ? std::string_view{} : plan.substr(comma + 1);
    }
    std::lock_guard lock{guard};
    traps = std::move(armed);
    detail::armed = !traps.empty();
    return {};
}

void detail::reach(std::string_view name) {
    std::optional<action> effect;
    {
        std::lock_guard lock{guard};
        for (auto& trap : traps)
            if (trap.name == name && trap.hit > 0 && --trap.hit == 0) effect = trap.effect;
    }
    if (!effect) return;
    log::warn("fault.reached", {{"point", name}});
    if (effect == action::kill) std::raise(SIGKILL);
    if (effect == action::stop) std::raise(SIGSTOP);
    if (effect == action::fail) throw injected("fault injected at " + std::string(name));
}

} // namespace postrider::base::fault
