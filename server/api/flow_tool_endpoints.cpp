// What helps to make flows: node types, validation, previews, starting one by hand.
#include "agent/expression/descriptions.hpp"
#include "agent/flow/execution_input.hpp"
#include "agent/flow/start/hand_start.hpp"
#include "base/json/text.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/entity_tag.hpp"
#include "server/api/flow_requests.hpp"
#include "server/api/idempotency.hpp"
#include "server/api/page.hpp"
#include "server/api/preview.hpp"
#include "server/api/problem.hpp"
#include "server/views/flow_json.hpp"

namespace postrider::api {

namespace {

namespace flow = agent::flow;

constexpr std::size_t largest_data = 1u << 20; // of an execution that is started, or a preview

// A list that changes only with the program.
struct unchanging_list {
    std::string body;
    std::string tag;
};

unchanging_list unchanging(std::string_view name, boost::json::array entries) {
    auto body = base::json_text(boost::json::object{{name, std::move(entries)}});
    auto tag = tag_of_content(body);
    return {std::move(body), std::move(tag)};
}

unchanging_list list_of(flow::catalog const& types) {
    boost::json::array entries;
    for (auto const* type : types.all()) entries.push_back(flow::to_json(*type));
    return unchanging("node_types", std::move(entries));
}

unchanging_list list_of_functions() {
    boost::json::array entries;
    for (auto const& function : agent::expressions::describe_functions()) {
        boost::json::array examples;
        for (auto const& example : function.examples)
            examples.push_back(boost::json::object{
                {"source", example.source}, {"result", example.result}});
        entries.push_back(boost::json::object{
            {"name", function.name},
            {"family", function.family},
            {"style", function.is_method ? "method" : "function"},
            {"signature", function.signature},
            {"help", function.help},
            {"examples", std::move(examples)}});
    }
    return unchanging("functions", std::move(entries));
}

planned show_unchanging(unchanging_list const& list, net::http_request const& request) {
    parameters query(request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    bool const is_unchanged = not_modified(request, list.tag);
    auto response =
        is_unchanged ? net::http_response::empty(304) : net::http_response::json(200, list.body);
    response.headers.add("ETag", list.tag);
    return response;
}

auto shown_unchanging(unchanging_list list) {
    auto shared_list = std::make_shared<unchanging_list const>(std::move(list));
    return [shared_list](net::http_request const& request) {
        return show_unchanging(*shared_list, request);
    };
}

// Whatever is wrong with the document is what was asked for: the answer is 200.
planned validate_flow(flow_services const& services, net::http_request const& request) {
    parameters query(request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([text = request.body, validator = services.validator](storage::transaction& tx) {
        auto const read = flow::read_candidate(text, flow::with_flows(tx, validator));
        auto const& problems = read ? read->problems : read.error().problems;
        return json_answer(
            200,
            {{"valid", !flow::any_error(problems)}, {"problems", server::problems_json(problems)}}
        );
    });
}

flow::hand_start read_start(members& body) {
    flow::hand_start start;
    start.version = read_version_name(body).value_or("published");
    start.trigger = body.text("trigger").value_or("");
    if (auto data = body.json("data")) start.data = std::move(*data);
    start.lane = body.text("lane").value_or("");
    start.start = body.text("start").value_or("");
    start.only = body.flag("only");
    start.until = body.text("until").value_or("");
    if (start.only && !start.until.empty()) body.mistake("only and until are both given");
    if (start.only && start.start.empty()) body.mistake("only wants start: the node that is run");
    if (auto pinned = body.json("pinned")) {
        if (pinned->is_object())
            start.pinned = std::move(pinned->as_object());
        else
            body.mistake("pinned is not an object");
    }
    return start;
}

net::http_response started_answer(flow::started const& started) {
    auto answer = json_answer(
        202,
        {{"job_id", base::raw(started.job)},
         {"version", started.version},
         {"trigger", started.trigger}}
    );
    answer.headers.add("Location", "/api/v1/jobs/" + base::to_string(started.job));
    return answer;
}

// As it was answered the first time.
net::http_response started_before(storage::transaction& tx, job_id job) {
    auto const details = queue::read_job_details(tx, job);
    auto const input = flow::execution_input_from(details ? details->input : nullptr);
    if (!input) return refused({"not_found", "the execution that this key has started is deleted"});
    return started_answer({job, input->version, input->trigger});
}

planned run_flow(flow_services const& services, net::http_request const& request) {
    if (auto wrong_key = refuse_key(request)) return std::move(*wrong_key);
    parameters query(request);
    members body(request);
    auto const start = read_start(body);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    auto const key = key_of(request, "POST " + request.path, request.body);
    auto head = request;
    head.body.clear();
    auto run = [start,
                key,
                validator = services.validator](auto& tx, storage::flow_row const& row) {
        auto const first = [&]() -> first_answer {
            auto const started = flow::start_by_hand(tx, row, start, validator);
            if (!started) return {refused(started.error())};
            return {started_answer(*started), started->job};
        };
        return start_once(tx, key, first, [&tx](job_id job) { return started_before(tx, job); });
    };
    return with_flow(head, std::move(run));
}

struct preview_question {
    std::optional<std::string> expression;
    std::optional<boost::json::value> value;
    std::optional<boost::json::object> data;
    std::string flow;
    std::string node;

    net::http_response answer(boost::json::object const& members) const {
        return json_answer(
            200,
            expression ? preview_expression(*expression, members)
                       : preview_parameter(*value, members)
        );
    }
};

preview_question read_preview(members& body) {
    preview_question question;
    question.expression = body.text("expression", 16u << 10);
    question.value = body.json("value");
    if (question.expression.has_value() == question.value.has_value())
        body.mistake("one of expression and value is wanted");
    if (auto data = body.json("data")) {
        if (data->is_object())
            question.data = std::move(data->as_object());
        else
            body.mistake("data is not an object");
    }
    question.flow = body.text("flow").value_or("");
    question.node = body.text("node").value_or("");
    if (question.data && !question.flow.empty())
        body.mistake("either data or flow says what names mean");
    if (question.flow.empty() != question.node.empty())
        body.mistake("flow and node belong together");
    return question;
}

base::awaitable<net::http_response> preview(
    flow_services const& services, net::http_request request, storage::database& db
) {
    parameters query(request);
    members body(request);
    auto const preview_request = read_preview(body);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) co_return invalid(wrong);
    if (preview_request.flow.empty())
        co_return preview_request.answer(preview_request.data.value_or(boost::json::object{}));
    base::result<boost::json::object> data = base::errc::not_found;
    if (services.last_data)
        data = co_await services.last_data(db, preview_request.flow, preview_request.node);
    if (data) co_return preview_request.answer(*data);
    if (data.error() == base::errc::not_found)
        co_return refused({"no_data", "no execution has data for this node: give some as data"});
    co_return problem_of(data.error(), database_use::read);
}

} // namespace

std::vector<endpoint> flow_tool_endpoints(resources const& resources) {
    auto const& services = resources.flows;
    auto const types = shown_unchanging(list_of(*services.validator.types));
    auto const functions = shown_unchanging(list_of_functions());
    auto const validate = [&services](net::http_request const& request) {
        return validate_flow(services, request);
    };
    auto const run = [&services](net::http_request const& request) {
        return run_flow(services, request);
    };
    auto const look = [&services](call incoming) {
        return preview(services, std::move(incoming.request), incoming.db);
    };
    std::vector<endpoint> endpoints{
        {"GET", "/api/v1/node-types", in_a_transaction(types)},
        {"GET", "/api/v1/expressions/functions", in_a_transaction(functions)},
        {"POST", "/api/v1/flows/validate", in_a_transaction(validate), document_limit},
        {"POST", "/api/v1/flows/{name}/run", in_a_transaction(run), largest_data},
        {"POST", "/api/v1/expressions/preview", look, largest_data},
    };
    for (auto& endpoint : endpoints) endpoint.open_to = audience::editors;
    return endpoints;
}

} // namespace postrider::api
