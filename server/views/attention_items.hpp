#pragma once
// The items of each kind that needs a person's attention (server/views/attention.hpp). Inside an open
// transaction; they throw as transaction::query() does.
#include "server/views/attention.hpp"

namespace postrider::server {

using attention_items = std::vector<attention_item>;

attention_items waiting_approvals(storage::transaction& tx);
attention_items open_questions(storage::transaction& tx);
attention_items undelivered_answers(storage::transaction& tx);
attention_items effects_in_doubt(storage::transaction& tx);
attention_items dead_letters(storage::transaction& tx);

attention_items spent_budgets(
    storage::transaction& tx, std::map<std::string, storage::spending, std::less<>> const& limits
);
attention_items open_breakers(storage::transaction& tx);
attention_items stopped_bots(storage::transaction& tx);
attention_items changed_mcp_tools(storage::transaction& tx);
attention_items reported_messages(storage::transaction& tx);
attention_items refused_acts(storage::transaction& tx);
// Pure, as the next.
attention_items limited_groups(std::vector<group_state> const& groups);
attention_items failing_mcp_servers(std::vector<failing_mcp_server> const& servers);

} // namespace postrider::server
