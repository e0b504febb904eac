#pragma once
// With which rules the spam filter judges a group: those of the first node spam.check of the published flow that watches the
// group's messages, or the defaults where there is none. Blocking, inside the caller's transaction; throws as
// transaction::query() does.
#include "agent/flow/library/triggers.hpp"
#include "agent/flow/nodes/spam_screen.hpp"
#include "base/ids.hpp"
#include "storage/database.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace postrider::server {

struct rules_in_force {
    agent::flow::screen_settings settings; // with all defaults filled in
    std::string flow = {};                 // "" = the defaults
    std::int64_t version = 0;
};

// Reads once what watches groups; the documents when they are asked for. The transaction outlives it.
class group_rules {
public:
    explicit group_rules(storage::transaction& tx);

    // None: of no group. Of several bots, the first by name with which a flow watches the group.
    rules_in_force find(std::optional<chat_id> chat) const;

private:
    std::optional<rules_in_force> rules_of(agent::flow::start const& watching) const;

    storage::transaction& tx_;
    agent::flow::triggers starts_;
    std::vector<std::string> bots_;
};

// {"flow", "version"}; both null = the defaults.
boost::json::object rules_source_json(rules_in_force const& rules);
// "the flow claudir, version 3", or "the defaults".
std::string rules_source_text(rules_in_force const& rules);

} // namespace postrider::server
