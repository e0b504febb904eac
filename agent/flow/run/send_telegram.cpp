// Nodes that act on Telegram: messages as effects that are never silently doubled; edits, reactions
// and deletions as steps that may be done again.
#include "agent/flow/nodes/actions.hpp"
#include "agent/flow/run/conversation.hpp"
#include "agent/flow/services.hpp"
#include "agent/reply.hpp"
#include "base/json.hpp"
#include "storage/stores/bots.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;
using base::errc;

constexpr base::retry_policy acting{
    .limit = 3,
    .delay = 1s,
    .backoff = base::backoff_shape::exponential,
    .timeout = 30s,
    .total = 10min};

constexpr base::duration read_deadline = 5s;

// The bot of that name, also when only other nodes have it: it is missed where something is still to
// be done by it. What this node cannot find out just now is left to another one, too.
base::awaitable<base::result<bot_id>> find_bot(node_run const& run, std::string name) {
    if (auto const bot = run.services().out.find_bot(name)) co_return *bot;
    auto const known = co_await storage::find_bot(run.services().reads, name, read_deadline);
    if (!known && retryable(known.error().code))
        throw queue::not_here{"the bot " + name + " could not be looked up"};
    if (!known) co_return known.error();
    if (*known) co_return **known;
    co_return base::error(errc::not_found, "there is no bot " + name);
}

// Where a node's parameters point: the chat that started the execution, unless they say otherwise.
base::awaitable<base::result<address>> target(node_run const& run, base::json_reader const& from) {
    address to;
    if (auto const& heard = run.started_by().heard) to = heard->from;
    if (auto name = from["bot"].string_or(""); !name.empty()) {
        auto const bot = co_await find_bot(run, std::move(name));
        if (!bot) co_return bot.error();
        if (*bot != to.bot) to = address{*bot};
    }
    if (from["chat"]) {
        chat_id const chat{from["chat"].int64()};
        if (chat != to.chat) to.thread = {};
        to.chat = chat;
    }
    if (from["thread"]) to.thread = thread_id{from["thread"].int64()};
    if (base::raw(to.bot) == 0)
        co_return base::error(errc::invalid, "no message started this execution: name the bot");
    if (base::raw(to.chat) == 0)
        co_return base::error(errc::invalid, "no message started this execution: name the chat");
    co_return to;
}

// The message that it acts on: the one named, or the one that started the execution.
base::result<telegram_message_id> message_of(node_run const& run, base::json_reader const& from) {
    if (from["message"]) return telegram_message_id{from["message"].int64()};
    auto const& heard = run.started_by().heard;
    if (!heard) return base::error(errc::invalid, "no message started this execution: name one");
    return heard->message;
}

// The conversation that started the execution, over Telegram or over the chat API.
bool is_own_chat(node_run const& run, address const& to) {
    auto const& heard = run.started_by().heard;
    return heard && heard->from.bot == to.bot && heard->from.chat == to.chat &&
           heard->from.thread == to.thread;
}

// What is said in the lane's own chat stands in its history before it is sent: the answer of an
// agent, or a message of the node's own.
storage::message_row row_for(node_run& run, std::string const& text, int number) {
    if (auto answer = run.take_answer(text)) return std::move(*answer);
    chat_message const message{.role = role::assistant, .content = text};
    auto row = run.conversation().row_of(message, run.position(number));
    row.id = base::nanoid(run.services().random);
    return row;
}

message_content content_from(base::json_reader const& from) {
    message_content content;
    content.text = from["text"].string_or("");
    if (from["format"].string_or("text") == "html") content.markup = text_markup::html;
    if (auto photo = from["photo"].string_or(""); !photo.empty())
        content.media = media{media_kind::photo, std::move(photo)};
    else if (auto document = from["document"].string_or(""); !document.empty())
        content.media = media{media_kind::document, std::move(document)};
    if (auto const buttons = from["buttons"]) content.buttons = buttons_from(*buttons.raw());
    return content;
}

json::object item_of(address const& to, delivery const& how) {
    json::object made{{"chat", base::raw(to.chat)}, {"delivery", how.state}};
    if (how.first) made["message_id"] = base::raw(*how.first);
    return made;
}

// What was asked over the chat API is answered there, unless a chat is named.
bool is_read_over_the_api(node_run const& run, base::json_reader const& from) {
    return run.started_by().posted && !from["bot"] && !from["chat"];
}

// What a silent execution would have said: it stands in its output only. A fork may have the record of
// what was sent.
json::value withhold(node_run& run, std::string const& text, json::object item) {
    (void)run.take_answer(text);
    run.steps().forgo();
    item["delivery"] = "withheld";
    return item;
}

json::value keep_for_reading(node_run& run, std::string const& text, int number) {
    run.at_the_end(storage::add_message(row_for(run, text, number)));
    return json::object{{"conversation", run.started_by().posted->conversation}};
}

base::awaitable<base::result<json::value>> send_one(
    node_run& run, json::object parameters, int number
) {
    json::value const all = std::move(parameters);
    base::json_reader from{all};
    auto const text = from["text"].string_or("");
    bool const silent = run.started_by().silent;
    if (is_read_over_the_api(run, from)) {
        if (silent)
            co_return withhold(
                run, text, {{"conversation", run.started_by().posted->conversation}}
            );
        co_return keep_for_reading(run, text, number);
    }
    auto to = co_await target(run, from);
    if (!to) co_return to.error();
    bool const own = is_own_chat(run, *to);
    if (own && silent) co_return withhold(run, text, {{"chat", base::raw(to->chat)}});

    reply what;
    what.tries = run.retry(sending);
    what.to = *to;
    what.name = number == 0 ? "send" : "send-" + std::to_string(number + 1);
    what.parts = run.services().out.split(content_from(from));
    // Groups are told what is answered; in a private chat it is plain.
    if (from["reply"])
        what.answers = telegram_message_id{from["reply"].int64()};
    else if (own && base::raw(to->chat) < 0)
        what.answers = run.started_by().heard->message;

    std::optional<storage::message_row> row;
    if (own) row = row_for(run, text, number);
    if (!is_planned(run.steps(), what)) {
        queue::commit_with with;
        with.effects = intents_of(what);
        if (row) {
            row->delivery = "pending";
            if (what.answers != telegram_message_id{}) row->reply_to = what.answers;
            with.writes.push_back(storage::add_message(*row));
        }
        co_await run.commit(std::move(with));
    }
    auto const how = co_await deliver(run.steps(), run.services().out, what);
    if (row)
        run.at_the_end(
            storage::set_delivery(row->lane, row->job, row->position, how.state, how.first)
        );
    run.note("delivery", json::value(how.state));
    if (how.state == "sent") co_return item_of(*to, how);
    run.note("delivery_error", json::value(base::to_string(how.error.code)));
    run.note("parts_sent", how.sent);
    // In its own chat it was an answer, and the conversation shows what became of it.
    if (own) co_return item_of(*to, how);
    co_return how.error;
}

base::awaitable<queue::step_value> done(base::awaitable<base::result<void>> work) {
    auto how = co_await std::move(work);
    if (!how) co_return how.error();
    co_return json::value(true);
}

using change = std::function<base::awaitable<base::result<void>>(
    messenger& out, address to, telegram_message_id message, base::json_reader const& from
)>;

// Changes one message, in a step of that name.
base::awaitable<base::result<json::value>> change_one(
    node_run& run, json::object parameters, std::string step, change make
) {
    json::value const all = std::move(parameters);
    base::json_reader from{all};
    auto to = co_await target(run, from);
    if (!to) co_return to.error();
    auto message = message_of(run, from);
    if (!message) co_return message.error();
    if (run.started_by().silent && is_own_chat(run, *to)) {
        run.steps().forgo();
        co_return json::object{{"chat", base::raw(to->chat)}, {"delivery", "withheld"}};
    }
    if (!run.steps().recorded(step)) leave_to_a_node_serving(run.services().out, *to);
    auto work = [&] { return done(make(run.services().out, *to, *message, from)); };
    auto changed = co_await run.steps().run(std::move(step), run.retry(acting), work);
    if (!changed) co_return changed.error();
    co_return json::object{{"chat", base::raw(to->chat)}, {"message_id", base::raw(*message)}};
}

base::awaitable<base::result<void>> edit(
    messenger& out, address to, telegram_message_id message, base::json_reader const& from
) {
    return out.edit(to, message, content_from(from));
}

base::awaitable<base::result<void>> react(
    messenger& out, address to, telegram_message_id message, base::json_reader const& from
) {
    return out.react(to, message, from["emoji"].string_or(""));
}

base::awaitable<base::result<void>> remove(
    messenger& out, address to, telegram_message_id message, base::json_reader const& /*from*/
) {
    return out.remove(to, message);
}

using one_by_one =
    std::function<base::awaitable<base::result<json::value>>(json::object parameters, int number)>;

base::awaitable<base::result<outputs>> for_each_item(node_run& run, one_by_one act) {
    items all;
    for (std::size_t i = 0; i < run.input().size(); ++i) {
        auto parameters = co_await run.parameters(i);
        if (!parameters) co_return parameters.error();
        auto made = co_await act(std::move(*parameters), static_cast<int>(i));
        if (!made) co_return made.error();
        all.push_back({std::move(*made)});
    }
    outputs made;
    made.emplace("main", std::move(all));
    co_return made;
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
        return change_one(run, std::move(parameters), "delete", remove);
    });
}

} // namespace postrider::agent::flow
