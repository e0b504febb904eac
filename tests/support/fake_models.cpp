#include "tests/support/fake_models.hpp"

#include "base/json/json.hpp"
#include "tests/support/fake_models/dialects.hpp"
#include "tests/support/fake_models/http_door.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/serialize.hpp>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace postrider::tests {

namespace asio = boost::asio;
namespace json = boost::json;
using tcp = asio::ip::tcp;

fake_reply fake_reply::saying(std::string text) {
    fake_reply reply;
    reply.text = std::move(text);
    return reply;
}

fake_reply fake_reply::calling(std::vector<fake_tool_call> calls) {
    fake_reply reply;
    reply.calls = std::move(calls);
    return reply;
}

fake_reply fake_reply::failing(int status, std::string error) {
    fake_reply reply;
    reply.status = status;
    reply.error = std::move(error);
    return reply;
}

json::value const& at(json::object const& object, std::string_view key) {
    static json::value const null;
    auto const* found = object.if_contains(key);
    return found ? *found : null;
}

json::value const& at(json::value const& object, std::string_view key) {
    static json::object const empty;
    return at(object.is_object() ? object.get_object() : empty, key);
}

std::string text_at(json::value const& object, std::string_view key) {
    auto const& value = at(object, key);
    return value.is_string() ? std::string(value.get_string()) : std::string{};
}

std::string strict_misfit(json::value const& schema) {
    auto const* object = schema.if_object();
    if (!object) return {};
    if (auto const* members = at(schema, "properties").if_object()) {
        if (at(schema, "additionalProperties") != json::value(false))
            return "'additionalProperties' is required to be supplied and to be false";
        auto const* required = at(schema, "required").if_array();
        for (auto const& member : *members) {
            if (!required ||
                std::ranges::find(*required, json::value(member.key())) == required->end())
                return "'required' is required to include every key in properties";
            if (auto wrong = strict_misfit(member.value()); !wrong.empty()) return wrong;
        }
    }
    return strict_misfit(at(schema, "items"));
}

std::string default_error(dialect const& of, int status) {
    bool const anthropic = &of == &anthropic_dialect;
    switch (status) {
    case 401:
        return anthropic ? "authentication_error" : "invalid_api_key";
    case 402:
        return anthropic ? "billing_error" : "";
    case 403:
        return anthropic ? "permission_error" : "";
    case 404:
        return anthropic ? "not_found_error" : "model_not_found";
    case 429:
        return anthropic ? "rate_limit_error" : "rate_limit_exceeded";
    case 529:
        return "overloaded_error";
    default:
        break;
    }
    if (!anthropic) return "";
    return status >= 500 ? "api_error" : "invalid_request_error";
}

namespace {

void end_early(door_answer& answer, fake_reply const& reply, dialect const& as) {
    auto& events = answer.chunks;
    auto last = std::ranges::find_if(events, [&](std::string const& event) {
        return event.find(reply.cut_behind) != event.npos;
    });
    if (last == events.end()) return;
    events.erase(last + 1, events.end());
    answer.cut = reply.error_event.empty();
    // The last one of a connection that is cut is not sent.
    events.push_back(answer.cut ? std::string("cut") : as.error_event(reply.error_event));
}

} // namespace

struct fake_models::state {
    state();
    ~state();

    base::awaitable<void> accept_all();
    base::awaitable<door_answer> handle(door_request request);
    base::awaitable<door_answer> play(
        fake_reply reply, dialect const& as, json::object body, std::size_t number
    );
    base::awaitable<void> until_released();
    door_answer describe_models(fake_request seen) const;
    std::optional<refusal> check_access(dialect const& as, fake_request const& request) const;
    fake_reply next_reply(std::string const& last_text);
    void note_status(std::size_t number, int status);

    asio::io_context context;
    tcp::acceptor listener{context, {asio::ip::address_v4::loopback(), 0}};
    base::signal released{context.get_executor()};
    door_handler handler;

    mutable std::mutex mutex; // guards what follows
    mutable std::condition_variable came;
    prompt_cache cache;
    std::deque<fake_reply> script;
    std::optional<fake_reply> otherwise;
    std::vector<fake_request> requests;
    std::string key;
    std::vector<std::string> models;
    std::string refused; // parameter
    bool open = false;   // released
    bool paused = false; // the last reply was a pause_turn

    std::thread thread; // last: it uses all of the above
};

fake_models::state::state() {
    handler = [this](door_request request) { return handle(std::move(request)); };
    asio::co_spawn(context, accept_all(), asio::detached);
    thread = std::thread([this] { context.run(); });
}

fake_models::state::~state() {
    context.stop();
    thread.join();
}

base::awaitable<void> fake_models::state::accept_all() {
    for (;;) {
        auto connection = co_await listener.async_accept(asio::use_awaitable);
        asio::co_spawn(context, serve_connection(std::move(connection), handler), asio::detached);
    }
}

std::optional<refusal> fake_models::state::check_access(
    dialect const& as, fake_request const& request
) const {
    auto header = [&](std::string const& name) {
        auto found = request.headers.find(name);
        return found == request.headers.end() ? std::string{} : found->second;
    };
    std::lock_guard lock{mutex};
    if (!key.empty() && header("x-api-key") != key && header("authorization") != "Bearer " + key)
        return refusal{401, default_error(as, 401), "invalid x-api-key or API key"};
    auto const& parameter = at(request.body, refused);
    auto const& kind = parameter.is_object() ? at(parameter, "type") : parameter;
    bool const is_harmless = refused == "tool_choice" && (kind == "auto" || kind == "none");
    if (!refused.empty() && !parameter.is_null() && !is_harmless)
        return refusal{
            400,
            "invalid_request_error",
            "Unsupported parameter: '" + refused + "' is not supported with this model." +
                (refused == "max_tokens" ? " Use 'max_completion_tokens' instead." : "")};
    auto const model = text_at(request.body, "model");
    if (!models.empty() && std::ranges::find(models, model) == models.end())
        return refusal{404, default_error(as, 404), "model: " + model};
    return std::nullopt;
}

fake_reply fake_models::state::next_reply(std::string const& last_text) {
    std::lock_guard lock{mutex};
    paused = false;
    if (!script.empty()) {
        auto next = std::move(script.front());
        script.pop_front();
        paused = next.stop == "pause_turn";
        return next;
    }
    if (otherwise) return *otherwise;
    return fake_reply::saying("You said: " + last_text);
}

void fake_models::state::note_status(std::size_t number, int status) {
    std::lock_guard lock{mutex};
    requests[number].status = status;
}

base::awaitable<door_answer> fake_models::state::handle(door_request request) {
    fake_request seen{request.path, request.headers, nullptr, 0};
    if (auto parsed = base::parse_json(request.body)) seen.body = *parsed;
    std::size_t number = 0;
    bool after_pause = false;
    {
        std::lock_guard lock{mutex};
        after_pause = paused;
        number = requests.size();
        requests.push_back(seen);
        came.notify_all();
    }
    dialect const* as = nullptr;
    for (auto candidate : {&anthropic_dialect, &responses_dialect, &chat_dialect})
        if (candidate->path == request.path && request.method == "POST") as = candidate;
    door_answer answer{404, {}, "{\"error\":\"not found\"}", false};
    if (request.method == "GET" && request.path.starts_with("/v1/models")) {
        answer = describe_models(seen);
    } else if (as) {
        auto wrong = check_access(*as, seen);
        if (!wrong) wrong = as->check(seen, after_pause);
        if (wrong) {
            answer = {wrong->status, {}, json::serialize(as->failure(*wrong)), false};
        } else {
            auto reply = next_reply(as->last_user_text(seen.body.get_object()));
            answer = co_await play(std::move(reply), *as, seen.body.get_object(), number);
        }
    }
    answer.headers["Content-Type"] =
        answer.chunks.empty() ? "application/json" : "text/event-stream";
    note_status(number, answer.status);
    co_return answer;
}

// "/v1/models" and "/v1/models/NAME", where the vendors tell of their models.
door_answer fake_models::state::describe_models(fake_request seen) const {
    auto const& as = seen.headers.contains("x-api-key") ? anthropic_dialect : responses_dialect;
    std::string const name = seen.path.substr(std::min<std::size_t>(seen.path.size(), 11));
    seen.body = json::object{{"model", name}};
    auto const wrong = check_access(as, seen);
    bool const list = name.empty();
    if (wrong && !(list && wrong->status == 404))
        return {wrong->status, {}, json::serialize(as.failure(*wrong)), false};
    json::value body = json::object{{"id", name}};
    if (list) {
        json::array offered;
        for (auto const& known : models) offered.push_back(json::object{{"id", known}});
        body = json::object{{"data", std::move(offered)}};
    }
    return {200, {}, json::serialize(body), false};
}

base::awaitable<void> fake_models::state::until_released() {
    auto is_open = [this] {
        std::lock_guard lock{mutex};
        return open;
    };
    while (!is_open()) co_await released.wait();
}

base::awaitable<door_answer> fake_models::state::play(
    fake_reply reply, dialect const& as, json::object body, std::size_t number
) {
    if (reply.delay.count() > 0) co_await base::sleep_for(reply.delay);
    bool const streams = at(body, "stream") == true && reply.status == 200 && !reply.raw;
    if (reply.hold && !streams) co_await until_released();

    door_answer answer{reply.status, {}, {}, reply.cut};
    cache_usage used;
    if (reply.status == 200 && !reply.raw) {
        std::lock_guard lock{mutex};
        used = as.count(body, cache);
    }
    if (reply.retry_after) answer.headers["retry-after"] = std::to_string(*reply.retry_after);
    if (reply.raw) {
        answer.body = *reply.raw;
    } else if (streams) {
        auto const whole = as.answer(reply, body, static_cast<int>(number) + 1, used);
        answer.chunks = as.stream(whole.get_object());
        if (reply.hold) answer.go_on = [this] { return until_released(); };
        if (!reply.cut_behind.empty()) end_early(answer, reply, as);
    } else if (reply.status == 200) {
        answer.body = json::serialize(as.answer(reply, body, static_cast<int>(number) + 1, used));
    } else {
        auto error = reply.error.empty() ? default_error(as, reply.status) : reply.error;
        answer.body = json::serialize(as.failure({reply.status, error, "a scripted failure"}));
    }
    co_return answer;
}

fake_models::fake_models() : state_(std::make_unique<state>()) {}
fake_models::~fake_models() = default;

std::string fake_models::address() const {
    return "http://127.0.0.1:" + std::to_string(state_->listener.local_endpoint().port());
}

void fake_models::script(fake_reply next) {
    std::lock_guard lock{state_->mutex};
    state_->script.push_back(std::move(next));
}

void fake_models::always(fake_reply reply) {
    std::lock_guard lock{state_->mutex};
    state_->otherwise = std::move(reply);
}

void fake_models::release() {
    {
        std::lock_guard lock{state_->mutex};
        state_->open = true;
    }
    asio::post(state_->context, [state = state_.get()] { state->released.notify(); });
}

void fake_models::require_key(std::string key) {
    std::lock_guard lock{state_->mutex};
    state_->key = std::move(key);
}

void fake_models::offer_models(std::vector<std::string> names) {
    std::lock_guard lock{state_->mutex};
    state_->models = std::move(names);
}

void fake_models::refuse_parameter(std::string name) {
    std::lock_guard lock{state_->mutex};
    state_->refused = std::move(name);
}

std::vector<fake_request> fake_models::requests() const {
    std::lock_guard lock{state_->mutex};
    return state_->requests;
}

bool fake_models::wait_for_requests(std::size_t n, std::chrono::milliseconds limit) const {
    std::unique_lock lock{state_->mutex};
    return state_->came.wait_for(lock, limit, [&] { return state_->requests.size() >= n; });
}

} // namespace postrider::tests
