#include "agent/flow/node_type.hpp"
#include "agent/flow/parts/services.hpp"

#include <boost/json/serialize.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

std::string text(json::object const& parameters, std::string_view name) {
    return std::string(parameters.at(name).get_string());
}

std::chrono::milliseconds span(json::object const& parameters, std::string_view name) {
    auto const length = base::duration_from_text(text(parameters, name));
    return std::chrono::duration_cast<std::chrono::milliseconds>(length.value());
}

outputs pass_on(items forwarded) {
    outputs output;
    output.emplace("main", std::move(forwarded));
    return output;
}

base::result<queue::awaited_event> event_to_await(node_run& run, json::object const& parameters) {
    queue::awaited_event event;
    event.timeout = span(parameters, "timeout");
    if (parameters.contains("event")) {
        event.type = text(parameters, "event");
        if (event.type.starts_with(own_events))
            return base::error(
                base::errc::invalid, "events whose type begins with postrider. are the server's own"
            );
        if (parameters.contains("match")) event.match = text(parameters, "match");
        return event;
    }
    auto const& links = run.services().links;
    if (resume_url(links, run.steps()).empty() && !run.steps().recorded(event_step))
        return base::error(
            base::errc::invalid, "a link needs a server.public_url that people reach"
        );
    event.type = resume_event;
    event.match = resume_code(links, run.steps());
    return event;
}

base::awaitable<base::result<outputs>> wait_for_event(node_run& run, queue::awaited_event event) {
    auto payload = co_await run.steps().wait_for_event(std::string(event_step), std::move(event));
    if (!payload) co_return payload.error();
    auto forwarded = run.input();
    for (auto& item : forwarded) {
        auto const* members = item.json.if_object();
        if (!members) continue;
        auto with_event = *members;
        with_event["event"] = *payload;
        item.json = std::move(with_event);
    }
    co_return pass_on(std::move(forwarded));
}

base::awaitable<base::result<outputs>> wait(node_run& run) {
    auto const parameters = co_await run.parameters();
    if (!parameters) co_return parameters.error();
    if (parameters->contains("event") || parameters->contains("resume")) {
        auto event = event_to_await(run, *parameters);
        if (!event) {
            auto const refusal =
                co_await run.steps().record_value(std::string(event_step), event.error());
            co_return refusal.error();
        }
        co_return co_await wait_for_event(run, std::move(*event));
    }
    if (parameters->contains("until"))
        co_await run.steps().sleep_until(
            "wait", base::from_iso8601(text(*parameters, "until")).value()
        );
    else
        co_await run.steps().sleep("wait", span(*parameters, "duration"));
    co_return pass_on(run.input());
}

// Nobody in the chat minds so much.
constexpr std::chrono::seconds short_wait{10};

std::string_view parameter_that_holds_chat(
    json::object const& parameters, std::string_view mailbox
) {
    if (auto const* event = parameters.if_contains("event")) {
        bool const is_message =
            event->is_string() && std::string_view(event->get_string()) == queue::message_event;
        return mailbox == "route" && is_message ? "" : "event";
    }
    for (std::string_view name : {"resume", "until"})
        if (parameters.contains(name)) return name;
    auto const* length = parameters.if_contains("duration");
    if (!length || !length->is_string()) return "duration";
    auto const span = base::duration_from_text(std::string(length->get_string()));
    return !span || *span > short_wait ? "duration" : "";
}

} // namespace

behaviour wait_behaviour() {
    return durable{
        .execute = wait,
        .keeps_items =
            [](auto const& parameters) {
                return !parameters.contains("event") && !parameters.contains("resume");
            },
        .holds_chat = parameter_that_holds_chat,
        .has_link = [](auto const& parameters) { return parameters.contains("resume"); },
    };
}

} // namespace postrider::agent::flow
