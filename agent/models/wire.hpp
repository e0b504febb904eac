#pragma once
// Private to agent/models: what the wire formats of all vendors share.
#include "agent/models/provider.hpp"
#include "agent/models/stream.hpp"
#include "base/json/json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <functional>
#include <initializer_list>
#include <string_view>

namespace postrider::agent::wire {

// An answer of status 200 that says nothing that can be used. It is no fault of the request, so the
// code is unavailable: another try may well get a proper answer.
base::error unusable_answer(std::string detail);

// unusable_answer(): not JSON, or not an object.
base::result<boost::json::object> parse_answer(std::string_view body);

// Takes U+0000, which Postgres stores in no text, out of what was said. In a call's arguments it is
// an error instead (see the calls below): without it the call would be another one.
void drop_nul(chat_reply& reply);

// An id for a call whose provider gave none.
std::string make_call_id();

// A call whose arguments came as text: an object, or null with the text kept as raw where it is no
// object or holds U+0000. Empty text is an empty object. Text inside a JSON string (some local
// models) is unwrapped once. The members are in the order in which Postgres gives them back, so that
// the call reads the same in every later request.
tool_call call_from_text(std::string id, std::string name, std::string arguments);
tool_call call_from_object(std::string id, std::string name, boost::json::object arguments);

// The arguments as text. Those that were no object go back as they came to the vendor alone: other
// servers (llama.cpp, vLLM, SGLang) parse them for the model's template, and refuse the conversation
// from then on. They get {}, and the model reads in the call's result what was wrong.
std::string arguments_text(tool_call const& call, bool is_vendor);

// As all vendors take the id of a call and the name of a tool in a history: letters, digits, _ and -
// of ASCII, of a name 1 to 64. A model may call what is no tool ("multi_tool_use.parallel"), and ids
// may be of another provider. A call and its result are changed alike.
std::string fit_id(std::string id);
std::string fit_name(std::string name);

// Nothing, or white space alone: Anthropic refuses such a text, and with it every later request of the
// conversation.
bool is_blank(std::string_view text);

// Ids are unique within a reply: a missing or repeated one is replaced.
void mend_ids(std::vector<tool_call>& calls);

// 0 where there is none. What no call can have used (a provider's mistake, or malice) is brought down
// to 10^12, so that no sum of such numbers leaves 64 bits.
std::int64_t token_count(base::json_reader const& count);

// Whether the object has a member beside these that says something: one that is not null.
bool has_other_members(
    boost::json::object const& object, std::initializer_list<std::string_view> expected
);

// What the model is sent back unchanged.
boost::json::value state(std::string_view model, boost::json::array blocks);
// The blocks when the message came from this model, else null.
boost::json::array const* blocks_for(chat_message const& message, std::string_view model);

// The system prompt with the history's system messages after it.
std::string system_text(chat_request const& request);

// True where the providers' strict modes take the schema: every object names all of its members,
// requires them and takes no others, and nothing stands in it that a strict mode does not know.
bool fits_strict_mode(boost::json::object const& schema);
// OpenAI takes formats of objects only.
bool has_object_root(boost::json::object const& schema);

// The request's body: its tools as they are declared, before what the API's own function has made of
// the rest; asked for in pieces where somebody listens.
std::string body_text(
    chat_request const& request, boost::json::object body, tool_list::declaration declare
);

// POSTs the JSON body. Answers with status 200 are values; `explain` turns the others into errors.
// With `pieces` the answer comes as a stream, and is what was put together. `accepted` is called with the
// first event that is no error, or else with the head of an answer of status 200 in JSON.
base::awaitable<base::result<std::string>> post(
    net::http_client& client,
    net::base_url const& base,
    std::string_view path,
    net::header_list headers,
    std::string body,
    std::chrono::milliseconds timeout,
    std::function<base::error(net::http_answer const&)> explain,
    std::shared_ptr<stream> pieces,
    std::function<void()> accepted
);

// GETs; otherwise the same.
base::awaitable<base::result<std::string>> get(
    net::http_client& client,
    net::base_url const& base,
    std::string path,
    net::header_list headers,
    std::chrono::milliseconds timeout,
    std::function<base::error(net::http_answer const&)> explain
);

} // namespace postrider::agent::wire
