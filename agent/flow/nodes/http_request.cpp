// Requests of a flow: what only reads is a step, everything else an effect of its class.
#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/acting_step.hpp"
#include "agent/flow/nodes/http_body.hpp"
#include "agent/flow/nodes/http_file.hpp"
#include "agent/flow/nodes/http_pages.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/tools/http_answer.hpp"
#include "agent/tools/tool.hpp"
#include "agent/tools/web_call.hpp"
#include "base/json/json.hpp"
#include "base/json/nul.hpp"
#include "net/base64.hpp"
#include "net/digest.hpp"
#include "storage/stores/flow_files.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;
using base::errc;
using base::error;

namespace {

constexpr std::size_t refusal_bytes = 500; // of an answer that is a failure
constexpr std::size_t deepest_body = 60;   // within the record's own levels
constexpr std::chrono::milliseconds longest_timeout = std::chrono::minutes{10};
constexpr std::chrono::seconds grace{5}; // for reading what has come

std::string text_of_parameter(json::object const& parameters, std::string_view name) {
    auto const* text = parameters.if_contains(name);
    return text && text->is_string() ? std::string(text->get_string()) : std::string();
}

queue::effect_class class_of_request(std::string_view method, std::string_view when_interrupted) {
    using queue::effect_class;
    if (only_reads(method)) return effect_class::pure;
    if (is_repeatable(method)) return effect_class::idempotent;
    if (when_interrupted == "keyed") return effect_class::keyed;
    return when_interrupted == "leave" ? effect_class::at_most_once : effect_class::at_least_once;
}

base::result<std::chrono::milliseconds> timeout_of(json::object const& parameters) {
    auto const span = base::duration_from_text(text_of_parameter(parameters, "timeout")).value();
    if (span > longest_timeout) return error(errc::invalid, "the time-out is longer than 10min");
    return std::chrono::duration_cast<std::chrono::milliseconds>(span);
}

base::result<std::string> first_url_of(json::object const& parameters) {
    auto url = text_of_parameter(parameters, "url");
    auto const* query = parameters.if_contains("query");
    if (!query) return url;
    auto const encoded = encoded_form(query->as_object());
    if (!encoded) return encoded.error();
    return with_query(std::move(url), *encoded);
}

base::result<void> set_request_body(
    net::web_request& request,
    json::object const& parameters,
    std::string_view boundary_seed,
    loaded_files const& files
) {
    auto const* value = parameters.if_contains("body");
    if (!value || value->is_null()) return {};
    if (request.method == "GET" || request.method == "HEAD")
        return error(errc::invalid, request.method + " has no body");
    auto body =
        encoded_body(text_of_parameter(parameters, "body_format"), *value, boundary_seed, files);
    if (!body) return body.error();
    request.body = std::move(body->text);
    add_unless_set(request.headers, "Content-Type", std::move(body->content_type));
    return {};
}

base::result<net::credential const*> named_credential(
    node_services const& services, std::string const& name, std::string const& url
) {
    if (name.empty()) return nullptr;
    net::credential const* credential = nullptr;
    if (services.credentials)
        if (auto const entry = services.credentials->find(name);
            entry != services.credentials->end())
            credential = &entry->second;
    return usable_credential(credential, url);
}

base::result<net::web_request> web_request_of(
    node_services const& services,
    json::object const& parameters,
    std::string const& url,
    std::string const& key,
    loaded_files const& files
) {
    if (!services.web) return error(errc::unavailable, "there is no way to the web here");
    net::web_request request;
    request.method = text_of_parameter(parameters, "method");
    request.url = url;
    if (auto const* fields = parameters.if_contains("headers")) {
        auto headers = request_headers(fields->as_object());
        if (!headers) return headers.error();
        request.headers = std::move(*headers);
    }
    // The same at each try, so that the other side sees one request; only this cluster can tell it.
    auto const seed = net::hmac_sha256_hex(services.links.key.reveal(), "boundary\n" + key);
    auto const has_body = set_request_body(request, parameters, seed, files);
    if (!has_body) return has_body.error();
    request.idempotent = is_repeatable(request.method);
    if (!request.idempotent) add_unless_set(request.headers, "Idempotency-Key", key);
    add_unless_set(request.headers, "User-Agent", "postrider");
    request.answer_limit = parameters.at("most_bytes").to_number<std::size_t>();
    auto const timeout = timeout_of(parameters);
    if (!timeout) return timeout.error();
    request.deadline = *timeout;
    std::vector<std::string> operators;
    auto const configured = services.tools.find("http_request");
    if (configured != services.tools.end())
        operators = configured->second.values.words("allowed_hosts");
    set_hosts(request, std::move(operators), {});
    auto const name = text_of_parameter(parameters, "credential");
    auto const credential = named_credential(services, name, request.url);
    if (!credential) return credential.error();
    request.credential = *credential;
    return request;
}

bool is_json(std::string_view media_type) noexcept {
    return media_type == "application/json" || media_type.ends_with("+json");
}

base::awaitable<base::result<json::value>> body_of(
    net::http_answer answer, std::string const& format, base::clock& clock
) {
    if (format == "base64") co_return json::value(net::to_base64(answer.body));
    if (answer.body.empty()) co_return json::value(nullptr);
    bool const as_json = format == "json" || (format == "auto" && is_json(media_type_of(answer)));
    if (as_json) {
        auto value =
            base::parse_json(answer.body, {.depth = deepest_body, .bytes = answer.body.size()});
        if (!value) co_return error(errc::invalid, "the answer is " + value.error().detail);
        base::drop_nul(*value);
        co_return std::move(*value);
    }
    auto const type = media_type_of(answer);
    auto text = co_await answer_text(std::move(answer), clock);
    if (!text)
        co_return error(
            errc::invalid,
            fmt::format("the answer is no text ({}); read it as base64", base::shortened(type, 100))
        );
    co_return json::value(*text);
}

json::object headers_json(net::header_list const& headers) {
    json::object fields;
    for (auto const& [name, value] : headers) {
        auto const [field, is_new] = fields.emplace(base::to_lower(name), base::storable(value));
        if (is_new) continue;
        auto& joined = field->value().get_string();
        joined.append(", ").append(base::storable(value));
    }
    return fields;
}

base::awaitable<error> refusal_of(
    net::web_answer reached, std::string const& method, base::clock& clock
) {
    auto const status = reached.answer.status;
    auto const retry_after =
        net::parse_retry_after(reached.answer.headers.find("retry-after"), clock.now());
    auto const text = co_await answer_text(std::move(reached.answer), clock);
    auto detail = fmt::format("HTTP {} {}", status, net::reason_phrase(status));
    if (text && !text->empty()) detail += ": " + base::shortened(*text, refusal_bytes);
    if (reached.is_behind_answer) co_return net::unread_answer(method, reached.url, detail);
    error failure(code_of_status(status, method), std::move(detail));
    failure.retry_after = retry_after;
    co_return failure;
}

// What a try gives: the answer as it is recorded, and the file that it is kept as.
struct received_answer {
    json::object answer = {};
    std::optional<storage::flow_file> file = {};
};

base::result<storage::flow_file> kept_file(net::web_answer reached, base::random_source& random) {
    auto& answer = reached.answer;
    if (answer.body.size() > most_file_bytes)
        return error(errc::too_large, "a file has at most 10 MiB");
    auto mime = base::storable(media_type_of(answer));
    if (mime.empty()) mime = "application/octet-stream";
    auto name = file_name_of(answer.headers, reached.url);
    return storage::flow_file{
        base::nanoid(random), std::move(name), std::move(mime), std::move(answer.body)};
}

base::awaitable<base::result<json::value>> body_from(
    net::web_answer reached,
    std::string const& format,
    node_services const& services,
    std::optional<storage::flow_file>& received_file
) {
    if (format != "file")
        co_return co_await body_of(std::move(reached.answer), format, services.clock);
    auto file = kept_file(std::move(reached), services.random);
    if (!file) co_return file.error();
    received_file = std::move(*file);
    auto const bytes = static_cast<std::int64_t>(received_file->content.size());
    file_reference const reference{
        received_file->id, received_file->name, received_file->mime, bytes};
    co_return json::object{{"file", to_json(reference)}};
}

// Fills in the answer as far as the server's one can be read.
base::awaitable<base::result<void>> receive(
    node_services const& services,
    net::web_request request,
    json::object const& parameters,
    received_answer& received
) {
    auto& answer = received.answer;
    auto const method = request.method;
    auto const limit = request.answer_limit;
    auto reached = co_await services.web->fetch(std::move(request));
    if (!reached) co_return request_failure(reached.error(), method, limit);
    auto const status = reached->answer.status;
    answer["status"] = status;
    answer["headers"] = headers_json(reached->answer.headers);
    answer["url"] = base::storable(reached->url);
    answer["bytes"] = reached->answer.body.size();
    if (is_failure(status) && text_of_parameter(parameters, "error_status") == "fail")
        co_return co_await refusal_of(std::move(*reached), method, services.clock);
    auto const format = text_of_parameter(parameters, "response");
    auto body = co_await body_from(std::move(*reached), format, services, received.file);
    if (!body) co_return error(body.error().code, body.error().detail, net::was_answered);
    answer["body"] = std::move(*body);
    co_return base::result<void>{};
}

// One try. What it gives is recorded: {"status", "headers", "body", "url", "bytes"}. Where the server has the
// request and nobody can read the answer, the record has that it was sent, and "unread": {"code", "detail"}.
// The node fails behind the record, so that no retry sends the request again.
base::awaitable<queue::step_value> ask_server(
    node_services const& services,
    net::web_request request,
    json::object const& parameters,
    received_answer& received
) {
    bool const changes_nothing = only_reads(request.method);
    received = {};
    auto& answer = received.answer;
    answer = json::object{
        {"status", nullptr},
        {"headers", json::object{}},
        {"body", nullptr},
        {"url", request.url},
        {"bytes", 0}};
    auto const is_read = co_await receive(services, std::move(request), parameters, received);
    if (is_read) co_return answer;
    auto const& failure = is_read.error();
    if (failure.reason != net::was_answered || changes_nothing) co_return failure;
    answer["unread"] =
        json::object{{"code", base::to_string(failure.code)}, {"detail", failure.detail}};
    co_return answer;
}

// Of a recorded answer that nobody could read.
base::result<void> check_readable(json::object const& answer) {
    json::value const root(answer);
    auto const reason = base::json_reader{root}["unread"];
    if (!reason) return {};
    auto const code = base::errc_from_string(reason["code"].string_or(""));
    return error(code.value_or(errc::invalid), reason["detail"].string_or(""));
}

// The requests of one run of a node, counted over its items and pages: their number names their steps.
class request_series {
public:
    explicit request_series(node_run& run) : run_(run) {}

    base::awaitable<base::result<void>> send(json::object const& parameters, items& results) {
        auto first_url = first_url_of(parameters);
        if (!first_url) co_return first_url.error();
        http_pages pages(parameters, std::move(*first_url));
        for (;;) {
            auto const answer = co_await request(parameters, pages.url());
            if (!answer) co_return answer.error();
            auto const& members = answer->as_object();
            auto const is_readable = check_readable(members);
            if (!is_readable) co_return is_readable.error();
            bytes_ += members.at("bytes").to_number<std::size_t>();
            if (bytes_ > most_bytes_of_answers)
                co_return error(errc::too_large, "all answers together are larger than 64 MiB");
            auto found = items_in(members, text_of_parameter(parameters, "items"));
            if (!found) co_return found.error();
            auto const count = found->size();
            if (text_of_parameter(parameters, "output") == "answer")
                results.push_back({*answer});
            else
                std::ranges::move(*found, std::back_inserter(results));
            auto const more = pages.go_on(members, count);
            if (!more) co_return more.error();
            if (!*more || results.size() > most_items) co_return base::result<void>{};
        }
    }

private:
    base::awaitable<queue::step_value> request(json::object const& parameters, std::string url) {
        auto const step =
            ++number_ == 1 ? std::string("request") : fmt::format("request-{}", number_);
        if (is_recorded(run_, step)) co_return co_await recorded_result(run_, step);
        auto const key = key_of_step(run_, step);
        auto request = co_await prepare(parameters, url, key);
        if (!request) co_return co_await run_.steps().record_value(step, request.error());
        acting_step acting{.name = step, .kind = "http.request"};
        acting.effect_class =
            class_of_request(request->method, text_of_parameter(parameters, "when_interrupted"));
        acting.request = json::object{{"method", request->method}, {"url", request->url}};
        acting.tries = usual_tool_tries;
        acting.tries.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(
            request->deadline + base::duration{grace}
        );
        acting.tries.total.reset();
        received_answer received;
        auto const work = [&] {
            return ask_server(run_.services(), *request, parameters, received);
        };
        auto answer = co_await act(run_, std::move(acting), work);
        if (answer && received.file) keep(*received.file);
        co_return answer;
    }

    base::awaitable<base::result<net::web_request>> prepare(
        json::object const& parameters, std::string const& url, std::string const& key
    ) {
        auto const* body = parameters.if_contains("body");
        auto const format = text_of_parameter(parameters, "body_format");
        auto references = body ? files_in(format, *body) : std::vector<file_reference>();
        auto const files = co_await load_files(run_, std::move(references));
        if (!files) co_return files.error();
        co_return web_request_of(run_.services(), parameters, url, key, *files);
    }

    // In the commit of its step.
    void keep(storage::flow_file const& file) {
        auto& steps = run_.steps();
        auto const& heard = run_.started_by().heard;
        auto const user = heard ? heard->user : user_id{};
        steps.add(storage::put_flow_file(steps.job().id, file, user));
    }

    node_run& run_;
    int number_ = 0;
    std::size_t bytes_ = 0;
};

base::awaitable<base::result<outputs>> request_http(node_run& run) {
    items results;
    request_series requests(run);
    for (std::size_t i = 0; i < run.input().size() && results.size() <= most_items; ++i) {
        auto const parameters = co_await run.parameters(i);
        if (!parameters) co_return parameters.error();
        auto const sent = co_await requests.send(*parameters, results);
        if (!sent) co_return sent.error();
    }
    outputs output;
    output.emplace("main", std::move(results));
    co_return output;
}

} // namespace

behaviour http_request_behaviour() {
    return durable{.execute = request_http};
}

} // namespace postrider::agent::flow
