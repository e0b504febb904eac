// Nodes that act on Telegram: messages as effects that are never silently doubled; edits, reactions
// and deletions as steps that may be done again.
#include "agent/flow/chat/message_target.hpp"
#include "agent/flow/nodes/actions.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/file_media.hpp"
#include "base/json/json.hpp"
#include "storage/stores/group_archive.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;
using base::errc;

constexpr base::retry_policy acting{
    .limit = 3,
    .delay = 1s,
    .backoff = base::backoff_shape::exponential,
    .timeout = acting_timeout,
    .total = 10min};

constexpr std::string_view delete_step = "delete";

// The message that it acts on: the one named, or the one that started the execution.
base::result<telegram_message_id> message_of(node_run const& run, base::json_reader const& fields) {
    if (fields["message"]) return telegram_message_id{fields["message"].int64()};
    auto const& heard = run.started_by().heard;
    if (!heard) return base::error(errc::invalid, "no message started this execution: name one");
    return heard->message;
}

message_content content_from(base::json_reader const& fields) {
    message_content content;
    content.text = fields["text"].string_or("");
    content.markup = markup_of(fields["format"].string_or("text"));
    content.link_preview = fields["link_preview"].boolean_or(false);
    if (auto photo = fields["photo"].string_or(""); !photo.empty())
        content.media = media{media_kind::photo, std::move(photo)};
    else if (auto document = fields["document"].string_or(""); !document.empty())
        content.media = media{media_kind::document, std::move(document)};
    if (auto const buttons = fields["buttons"]) content.buttons = buttons_from(*buttons.raw());
    return content;
}

json::object item_of(address const& target, delivery const& delivery) {
    auto item = place_json(target);
    item["delivery"] = delivery.state;
    if (delivery.first) item["message_id"] = base::raw(*delivery.first);
    return item;
}

// What a silent execution would have said: it stands in its output only. A fork may have the record of
// what was sent.
json::value withhold(node_run& run, address const& target) {
    run.steps().skip_unasked();
    auto item = place_json(target);
    item["delivery"] = "withheld";
    return item;
}

base::awaitable<base::result<json::value>> send_one(
    node_run& run, json::object parameters, int number
) {
    json::value const values = std::move(parameters);
    base::json_reader fields{values};
    auto target = co_await target_of(run, fields);
    if (!target) co_return target.error();
    bool const in_own_chat = is_own_chat(run, *target);
    speech draft;
    draft.name = number == 0 ? "send" : "send-" + std::to_string(number + 1);
    draft.to = *target;
    draft.content = content_from(fields);
    if (auto const file = fields["file"]) {
        auto sent_file = media_of_file(run, *target, *file.raw(), fields["file_as"].string_or(""));
        if (!sent_file) co_return sent_file.error();
        draft.content.media = std::move(*sent_file);
    }
    draft.tries = run.retry(sending);
    draft.origin = storage::message_origin::node;
    // Groups are told what is answered; in a private chat it is plain.
    if (fields["reply"])
        draft.answers = telegram_message_id{fields["reply"].int64()};
    else if (in_own_chat && base::raw(target->chat) < 0)
        draft.answers = run.started_by().heard->message;
    if (in_own_chat) draft.row = run.take_answer(history_text(draft.content));
    if (in_own_chat && run.started_by().silent) co_return withhold(run, *target);
    if (draft.row)
        draft.origin = draft.row->origin.value_or(draft.origin);
    else
        put_into_history(run, draft, run.position(number));
    // While the question can still be edited the graph begins anew, and this does not return.
    committing const commit = [&run](queue::commit_with additions) {
        return run.commit(std::move(additions));
    };
    auto const delivered = co_await say(run, run.steps(), std::move(draft), commit);
    run.note("delivery", json::value(delivered.state));
    if (delivered.state == "sent") co_return item_of(*target, delivered);
    run.note("delivery_error", json::value(base::to_string(delivered.error.code)));
    run.note("parts_sent", delivered.sent);
    // In its own chat it was an answer: the turn is over.
    if (!in_own_chat) co_return delivered.error;
    co_return item_of(*target, delivered);
}

base::awaitable<queue::step_value> as_step_value(base::awaitable<base::result<void>> work) {
    auto finished = co_await std::move(work);
    if (!finished) co_return finished.error();
    co_return json::value(true);
}

using change = std::function<base::awaitable<base::result<void>>(
    messenger& out, address target, telegram_message_id message, base::json_reader const& fields
)>;

// Changes one message, in a step of that name.
base::awaitable<base::result<json::value>> change_one(
    node_run& run, json::object parameters, std::string step, change apply
) {
    json::value const values = std::move(parameters);
    base::json_reader fields{values};
    auto target = co_await target_of(run, fields);
    if (!target) co_return target.error();
    auto message = message_of(run, fields);
    if (!message) co_return message.error();
    if (run.started_by().silent && is_own_chat(run, *target)) co_return withhold(run, *target);
    bool const is_pending = !run.steps().recorded(step);
    if (is_pending && run.steps().is_read_only()) throw queue::suspended{}; // here the record ends
    if (is_pending) leave_to_a_node_serving(run.services().out, *target);
    bool const removes = step == delete_step && is_pending && !target->is_conversation();
    auto work = [&] { return as_step_value(apply(run.services().out, *target, *message, fields)); };
    auto changed = co_await run.steps().run(std::move(step), run.retry(acting), work);
    if (!changed) co_return changed.error();
    if (removes) run.steps().add(storage::mark_removed(target->bot, target->chat, {*message}));
    auto item = place_json(*target);
    item["message_id"] = base::raw(*message);
    co_return item;
}

base::awaitable<base::result<void>> edit(
    messenger& out, address target, telegram_message_id message, base::json_reader const& fields
) {
    return out.edit(target, message, content_from(fields));
}

base::awaitable<base::result<void>> react(
    messenger& out, address target, telegram_message_id message, base::json_reader const& fields
) {
    return out.react(target, message, fields["emoji"].string_or(""));
}

base::awaitable<base::result<void>> remove(
    messenger& out, address target, telegram_message_id message, base::json_reader const& /*fields*/
) {
    return out.remove(target, message);
}

using one_by_one =
    std::function<base::awaitable<base::result<json::value>>(json::object parameters, int number)>;

base::awaitable<base::result<outputs>> for_each_item(node_run& run, one_by_one act) {
    items results;
    for (std::size_t i = 0; i < run.input().size(); ++i) {
        auto parameters = co_await run.parameters(i);
        if (!parameters) co_return parameters.error();
        auto value = co_await act(std::move(*parameters), static_cast<int>(i));
        if (!value) co_return value.error();
        results.push_back({std::move(*value)});
    }
    outputs output;
    output.emplace("main", std::move(results));
    co_return output;
}

} // namespace

base::awaitable<base::result<outputs>> send_telegram(node_run& run) {
    return for_each_item(run, [&run](json::object parameters, int number) {
        return send_one(run, std::move(parameters), number);
    });
}

base::awaitable<base::result<outputs>> edit_telegram(node_run& run) {
    return for_each_item(run, [&run](json::object parameters, int) {
        return change_one(run, std::move(parameters), "edit", edit);
    });
}

base::awaitable<base::result<outputs>> react_telegram(node_run& run) {
    return for_each_item(run, [&run](json::object parameters, int) {
        return change_one(run, std::move(parameters), "react", react);
    });
}

base::awaitable<base::result<outputs>> delete_telegram(node_run& run) {
    return for_each_item(run, [&run](json::object parameters, int) {
        return change_one(run, std::move(parameters), std::string(delete_step), remove);
    });
}

} // namespace postrider::agent::flow
