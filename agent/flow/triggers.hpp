#pragma once
// Which flow is started by what comes from outside. Pure; made anew from all current flows whenever
// one of them changes.
//
// Of several flows that take a message the most specific wins: one for its command over one for its
// chat, that over one for its bot, that over one for any. Among equals the first by name, and the
// other is listed as shadowed.
#include "agent/flow/definition.hpp"
#include "base/ids.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

// What becomes part of a job's input: which version, started where.
struct start {
    std::string flow;
    std::int64_t version = 0;
    std::string node; // the trigger's id

    bool operator==(start const&) const = default;
};

struct incoming_message {
    std::string_view bot;
    chat_id chat{};
    std::string_view command; // "help" of "/help@bot me"; "" = none
};

struct webhook_start {
    start to;
    boost::json::object parameters; // the trigger's
};

struct schedule_start {
    start to;
    boost::json::object parameters;
};

// A trigger that never starts anything, because another flow's takes the same.
struct shadowed_trigger {
    std::string flow;
    std::string node;
    std::string by; // the other flow
};

class triggers {
public:
    // In the order of the flows' names. Disabled nodes are left out.
    void add(std::int64_t version, definition const& flow);

    std::optional<start> message(incoming_message const& what) const;
    // Null when no flow has the path, which is without a slash in front.
    webhook_start const* webhook(std::string_view method, std::string_view path) const;
    std::vector<schedule_start> const& schedules() const noexcept { return schedules_; }
    std::vector<shadowed_trigger> const& shadowed() const noexcept { return shadowed_; }

private:
    struct message_start {
        std::string bot;     // "" = any
        chat_id chat{};      // 0 = any
        std::string command; // "" = any
        start to;
    };

    void add_message(start to, boost::json::object const& parameters);
    void add_webhook(start to, boost::json::object const& parameters);

    std::vector<message_start> messages_;
    std::map<std::string, webhook_start, std::less<>> webhooks_; // "POST path"
    std::vector<schedule_start> schedules_;
    std::vector<shadowed_trigger> shadowed_;
};

} // namespace postrider::agent::flow
