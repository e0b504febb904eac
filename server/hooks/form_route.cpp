#include "server/hooks/form_route.hpp"

#include "base/ids.hpp"
#include "base/random.hpp"
#include "net/digest.hpp"
#include "server/hooks/flow_answer.hpp"
#include "server/hooks/form_page.hpp"
#include "server/hooks/page.hpp"
#include "server/hooks/request_item.hpp"

#include <memory>

namespace postrider::hooks {

namespace {

namespace json = boost::json;
using agent::flow::webhook_start;
using net::http_request;
using net::http_response;

constexpr std::size_t largest_form = 64u << 10;
constexpr std::size_t longest_submission = 64;
constexpr int try_again = 2; // seconds

http_response unknown_form() {
    return message_page(
        404, "There is no such form", "It may have been closed. Check the address."
    );
}

http_response try_later(std::string_view reason) {
    auto answer = message_page(503, "Please try again", reason);
    answer.headers.add("Retry-After", std::to_string(try_again));
    return answer;
}

std::string text_of_member(json::object const& members, std::string_view name) {
    auto const* text = members.if_contains(name);
    return text && text->is_string() ? std::string(text->get_string()) : std::string();
}

class form_receiver {
public:
    explicit form_receiver(form_services services)
        : services_(std::move(services)),
          starts_(services_.flows, services_.executions, services_.limits) {}

    base::awaitable<http_response> show(http_request request) {
        auto const* trigger = find(request);
        if (!trigger) co_return unknown_form();
        co_return form_page(200, *trigger->requests.form, {}, {}, base::nanoid(services_.random));
    }

    base::awaitable<http_response> receive(http_request request) {
        if (auto refused = api::refuse_foreign_page(request, services_.names))
            co_return std::move(*refused);
        auto const* trigger = find(request);
        if (!trigger) co_return unknown_form();
        auto const& form = *trigger->requests.form;
        auto const sent = fields_of(request.body);
        if (!sent) co_return message_page(400, "This form cannot be read", sent.error().detail);
        auto const submission = text_of_member(*sent, submission_field);
        auto read = check_form(form, *sent);
        if (!read.mistakes.empty())
            co_return form_page(422, form, *sent, read.mistakes, submission);
        bool const waits = trigger->requests.answered_by_node;
        auto thanks = thanks_page(form);
        auto const flow = trigger->to.flow;
        auto execution = starts_.execution_of(trigger->to, std::move(read.item), request);

        auto const started =
            co_await starts_.start(std::move(execution), key_of(request, submission), flow);
        if (!started) co_return try_later("Your answers have not arrived yet.");
        if (started->other_request)
            co_return message_page(
                422, "This form was sent before", "Open the form again to send other answers."
            );
        if (!waits) co_return thanks;
        co_return co_await answer_of(started->job);
    }

private:
    // Until the next suspension.
    webhook_start const* find(http_request const& request) const {
        auto const path = request.param("path");
        auto const* trigger = services_.flows.starts().webhook(agent::flow::form_method, path);
        return trigger && trigger->requests.form ? trigger : nullptr;
    }

    // A page without its key, which no page of ours is, starts an execution each time.
    static std::optional<storage::request_key> key_of(
        http_request const& request, std::string const& submission
    ) {
        if (submission.empty() || submission.size() > longest_submission) return std::nullopt;
        return storage::request_key{
            "FORM " + request.path, submission, net::sha256_hex(request.body)};
    }

    base::awaitable<http_response> answer_of(job_id execution) {
        auto answer = co_await await_answer(services_.waiting, execution, services_.patience);
        if (answer) co_return std::move(*answer);
        co_return try_later(
            "Your answers have arrived; the result takes longer. Send the form again."
        );
    }

    form_services services_;
    hook_starts starts_;
};

} // namespace

std::vector<net::route> form_routes(form_services services) {
    auto receiver = std::make_shared<form_receiver>(std::move(services));
    net::route shown;
    shown.method = "GET";
    shown.pattern = "/forms/{path...}";
    shown.handle = [receiver](http_request request) { return receiver->show(std::move(request)); };
    net::route sent;
    sent.method = "POST";
    sent.pattern = shown.pattern;
    sent.body_limit = largest_form;
    sent.handle = [receiver](http_request request) {
        return receiver->receive(std::move(request));
    };
    return {std::move(shown), std::move(sent)};
}

} // namespace postrider::hooks
