#include "agent/flow/approvals/approvers.hpp"

#include "base/json/json.hpp"
#include "base/log.hpp"
#include "storage/stores/lanes.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

namespace postrider::agent::approvals {

namespace json = boost::json;

base::awaitable<void> approver_messages::choose() {
    json::array places;
    for (auto const& place : services_.approvers) places.push_back(to_json(place));
    auto const recorded =
        co_await steps_.record_value(name_ + "-approvers", json::value(std::move(places)));
    for (auto const& place : recorded->as_array())
        recipients_.push_back({address_from(base::json_reader{place})});
}

std::vector<user_id> approver_messages::people() const {
    std::vector<user_id> people;
    // A private chat has the number of its user.
    for (auto const& recipient : recipients_)
        people.push_back(user_id{base::raw(recipient.to.chat)});
    return people;
}

namespace {

struct asked_row {
    storage::message_row row;
    std::string lane_key;
};

asked_row asked_row_for(
    queue::workflow const& steps, flow::node_services const& services, address const& recipient
) {
    auto const to = services.out.current(recipient);
    storage::message_row row;
    row.job = steps.job().id;
    row.id = base::nanoid(services.random);
    row.role = to_string(role::assistant);
    row.origin = storage::message_origin::engine;
    row.delivery = "pending";
    row.chat = to.chat;
    row.thread = to.thread;
    return {std::move(row), own_lane_key(to)};
}

std::vector<storage::write> rows_of_asked(asked_row const& asked, address const& to) {
    return {
        storage::find_or_add_lane({.key = asked.lane_key, .bot = to.bot, .chat = to.chat}),
        storage::add_message_from_beside(asked.row, asked.lane_key)};
}

} // namespace

base::awaitable<void> approver_messages::send(
    question const& asked, std::string_view id, std::int64_t place
) {
    bool const is_first = !steps_.recorded(name_ + "-until"); // as agent::send() does
    std::size_t reached = 0;
    for (std::size_t i = 0; i < recipients_.size(); ++i) {
        auto said = asked_row_for(steps_, services_, recipients_[i].to);
        said.row.position = place;
        said.row.content = asked.text;
        auto rows = rows_of_asked(said, recipients_[i].to);
        auto content = content_of(asked, id);
        auto const sent = co_await send_to(
            recipients_[i], numbered("to", i), std::move(content), std::move(rows)
        );
        steps_.add(storage::set_delivery(
            lane_id{}, said.row.job, place, sent.state, sent.first, said.lane_key
        ));
        recipients_[i].message = sent.last.value_or(telegram_message_id{});
        if (sent.state != "failed") ++reached;
    }
    if (!is_first || steps_.is_read_only()) co_return;
    if (reached == 0)
        base::log::warn(
            "approval.asked", {{"job", steps_.job().id}, {"question", id}, {"told", 0}}
        );
    else
        base::log::info(
            "approval.asked", {{"job", steps_.job().id}, {"question", id}, {"told", reached}}
        );
}

base::awaitable<void> approver_messages::show_whole(std::string text, int look) {
    for (std::size_t i = 0; i < recipients_.size(); ++i) {
        message_content content;
        content.text = text;
        std::vector<storage::write> no_rows;
        (void)co_await send_to(
            recipients_[i],
            numbered(fmt::format("whole{}", look + 1), i),
            std::move(content),
            std::move(no_rows)
        );
    }
}

base::awaitable<void> approver_messages::show_outcome(std::string text) {
    for (std::size_t i = 0; i < recipients_.size(); ++i) {
        asked_question shown;
        shown.name = numbered("to", i);
        shown.at = recipients_[i].to;
        shown.message = recipients_[i].message;
        message_content content;
        content.text = text;
        content = std::move(services_.out.split(shown.at, std::move(content)).back());
        co_await agent::show_outcome(steps_, services_.out, shown, std::move(content));
    }
}

base::awaitable<delivery> approver_messages::send_to(
    recipient const& to, std::string name, message_content content, std::vector<storage::write> rows
) {
    reply message;
    message.name = std::move(name);
    message.to = to.to;
    message.parts = services_.out.split(to.to, std::move(content));
    if (!is_planned(steps_, message)) {
        queue::commit_with with;
        with.effects = intents_of(message);
        with.writes = std::move(rows);
        (void)co_await steps_.commit(std::move(with));
    }
    co_return co_await deliver(steps_, services_.out, message);
}

std::string approver_messages::numbered(std::string_view part, std::size_t number) const {
    return fmt::format("{}-{}-{}", name_, part, number + 1);
}

} // namespace postrider::agent::approvals
