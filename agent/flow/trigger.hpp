#pragma once
// A trigger as a value: what starts a flow there, whose message its executions answer, and which
// fields its item has. The library, the timetable, the validator, starts by hand and the documents
// ask this value; none of them knows a trigger by its type's name.
#include "agent/flow/document/definition.hpp"
#include "agent/flow/node_run.hpp"
#include "agent/talk/group_event.hpp"
#include "queue/admin/schedules.hpp"

#include <boost/json/object.hpp>

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace postrider::agent::flow {

class catalog;

// What a published flow waits for at one of its triggers, as the library and the timetable keep it.

// Messages of a group that are said to others than the bot.
enum class group_hearing { addressed, stored, all };

// Messages that a bot gets. An empty list takes any.
struct message_opening {
    std::vector<std::string> bots = {};
    std::vector<std::int64_t> chats = {};
    std::vector<std::string> commands = {};
    group_hearing hearing = group_hearing::addressed;
    bool files = false; // a file without words starts an execution, too
};

// What happens in groups, whoever it is said to: such a trigger takes it before any trigger of messages.
// Empty lists take any.
struct group_opening {
    std::vector<std::string> bots = {};
    std::vector<std::int64_t> chats = {};
    std::vector<group_event> events = {}; // at least one
};

// How a request to a webhook proves that it may start the flow.
enum class proof_method { bearer, header, signature, none };
struct request_proof {
    proof_method method = proof_method::bearer;
    std::string header = "Authorization"; // where the secret or the signature stands
    std::string secret = {};              // its name in the configuration
};

// In place of a method, of /forms/PATH: no request has it.
inline constexpr std::string_view form_method = "FORM";

// HTTP requests to METHOD /hooks/PATH.
struct request_opening {
    std::string method = "POST";
    std::string path = {};
    request_proof proof = {};
    bool answered_by_node = false;                // else at once
    std::optional<boost::json::object> form = {}; // the page, as nodes/form.json describes it
};

struct schedule_opening {
    queue::recurrence recurrence;
    queue::missed_policy missed = queue::missed_policy::once;
    queue::overlap_policy overlap = queue::overlap_policy::queue;
};

// Messages over the chat API, of conversations that name the flow.
struct conversation_opening {};

// People, the API and other flows, which give the item.
struct call_opening {};

using trigger_opening = std::variant<
    call_opening,
    conversation_opening,
    message_opening,
    group_opening,
    request_opening,
    schedule_opening>;

// Where an execution may act without being told: where its message came from.
enum class trigger_source {
    message,   // a message of a chat, or over the chat API
    caller,    // whoever asks for it; a flow that calls this one hands its own message on.
               // A start by hand that names no trigger takes this one
    elsewhere, // no message
};

// Starts executions; passes on what started them.
struct trigger {
    trigger_source source = trigger_source::elsewhere;
    // Total: parameters that were not validated mean what parameters not written mean.
    std::function<trigger_opening(boost::json::object const& parameters)> open = [](auto const&) {
        return call_opening{};
    };
    std::vector<std::string> unique = {}; // parameters: of two with the same only one would start
    // Reads what it passes on, in steps, as a durable node (node_type.hpp). Absent: what started it.
    std::function<base::awaitable<base::result<outputs>>(node_run& run)> read = {};
};

// The trigger that the node is, as its version of the type has it, or the newest where that is not
// known here. Null: it is none, or disabled.
trigger const* trigger_of(node const& of, catalog const& types) noexcept;

// What the node waits for, if that is of the kind.
template<class Opening>
std::optional<Opening> opening_of(node const& of, catalog const& types) {
    auto const* node_trigger = trigger_of(of, types);
    if (!node_trigger) return std::nullopt;
    auto all = node_trigger->open(of.parameters);
    auto* opening = std::get_if<Opening>(&all);
    return opening ? std::optional<Opening>(std::move(*opening)) : std::nullopt;
}

} // namespace postrider::agent::flow
