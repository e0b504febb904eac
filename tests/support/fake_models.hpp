#pragma once
// Stand-ins for the model providers, behaving like the originals on the wire: Anthropic's Messages
// API (POST /v1/messages), OpenAI's Responses API (POST /v1/responses) and Chat Completions (POST
// /v1/chat/completions), all at one address; and GET /v1/models[/NAME].
//
// Requests are checked as the originals check them (required headers and members, pairing of tool
// calls and results, …) and refused with the originals' bodies; what passes is answered from the
// script, and when that is empty by the default behaviour; as events where "stream" is asked for.
// It accepts both x-api-key and a bearer token.
//
// Runs on a thread of its own and speaks HTTP without the product's net/, so that neither hides the
// other's mistakes. Threads: every call from any thread.
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace postrider::tests {

struct fake_tool_call {
    std::string name;
    boost::json::object arguments;
    std::string broken = {}; // sent as the arguments' text instead (OpenAI only)
};

// What becomes of one request.
struct fake_reply {
    std::string text = {};
    std::vector<fake_tool_call> calls = {};
    std::string stop = {}; // the dialect's own word; "" = what fits
    bool thinks = false;   // thinking blocks, reasoning items or reasoning_content

    int status = 200;       // 429, 529, 500, 401, 404, …: with the original's error body
    std::string error = {}; // type or code in that body; "" = what goes with the status
    std::optional<int> retry_after = {}; // seconds

    std::chrono::milliseconds delay{0};
    bool hold = false; // answered only after release(); of a stream: its last event
    bool cut = false;  // the connection breaks in the middle of the body
    // Of a stream: it ends behind the first event that holds this text: with the connection, as above, or
    // with the dialect's event of an error, whose type or code this is.
    std::string cut_behind = {};
    std::string error_event = {};
    std::optional<std::string> raw = {}; // sent as the body as it is
    bool sloppy = false; // as local servers answer: no ids, arguments as object, finish_reason stop

    static fake_reply saying(std::string text);
    static fake_reply calling(std::vector<fake_tool_call> calls);
    static fake_reply failing(int status, std::string error = {});
};

struct fake_request {
    std::string path;
    std::map<std::string, std::string> headers; // names in lower case
    boost::json::value body;                    // null when it was no JSON
    int status = 0;                             // what it was answered; 0 = not yet
};

class fake_models {
public:
    fake_models();
    ~fake_models();
    fake_models(fake_models const&) = delete;
    fake_models& operator=(fake_models const&) = delete;

    // "http://127.0.0.1:43121", as ANTHROPIC_BASE_URL wants it; OPENAI_BASE_URL wants "/v1" behind
    // it.
    std::string address() const;

    // The next request that passes the checks gets this reply; one reply per call, in order.
    void script(fake_reply next);
    // For every request beyond the script. Without it: "You said: …" with the last user's text.
    void always(fake_reply reply);
    // Lets every held request go, and those that come later.
    void release();

    // Only this key is accepted (401 otherwise); only these models exist (404 otherwise).
    void require_key(std::string key);
    void offer_models(std::vector<std::string> names);
    // Requests that have this parameter are refused with 400, as a model's that does not take it; of
    // tool_choice those that force a call.
    void refuse_parameter(std::string name);

    std::vector<fake_request> requests() const;
    // False when fewer than n requests have come within the limit.
    bool wait_for_requests(std::size_t n, std::chrono::milliseconds limit) const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace postrider::tests
