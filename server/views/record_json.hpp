#pragma once
// What is kept of chats and sessions, as the API writes it for operators: messages of lanes, rejected
// updates, agents' sessions. Pure.
#include "storage/stores/lane_messages.hpp"
#include "storage/stores/rejected_updates.hpp"
#include "storage/stores/sessions.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace postrider::server {

boost::json::object lane_message_json(storage::lane_message const& message);
boost::json::object rejected_update_json(storage::rejected_update const& update);
boost::json::object session_json(storage::session_summary const& session);

// Where a page ended, and back. Nothing: no page named it.
std::string cursor_of(storage::lane_message_place const& place); // "JOB.POSITION"
std::optional<storage::lane_message_place> lane_message_place_from(std::string_view cursor);
std::string cursor_of(storage::update_place const& place); // "TIME,BOT,UPDATE"
std::optional<storage::update_place> update_place_from(std::string_view cursor);

} // namespace postrider::server
