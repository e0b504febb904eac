#include "tests/end_to_end/server/scene.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <map>

namespace postrider::tests {

namespace {

namespace json = boost::json;

// How often each text reached each chat.
std::map<std::pair<std::int64_t, std::string>, int> carried_out(fake_telegram const& telegram) {
    std::map<std::pair<std::int64_t, std::string>, int> counts;
    for (auto const& call : telegram.sent()) ++counts[{base::raw(call.chat), call.text}];
    return counts;
}

} // namespace

scene::scene(environment more) : more_(std::move(more)) {
    auto const port = free_port();
    product_ = std::make_unique<postrider::tests::product>(settings(port), port);
}

environment scene::settings(int port) const {
    environment all{
        {"DATABASE_URL", database.url()},
        {"TELEGRAM_API_BASE", telegram.api_base()},
        {"TELEGRAM_BOT_TOKEN", telegram.token()},
        {"TELEGRAM_WEBHOOK_SECRET", secret},
        {"ANTHROPIC_API_KEY", "test-key"},
        {"ANTHROPIC_BASE_URL", models.address()},
        {"POSTRIDER_ALLOWED_USERS", base::to_string(alice) + "," + base::to_string(bob)},
        {"POSTRIDER_ADMIN_TOKEN", "test-admin"},
        {"POSTRIDER_LOG_LEVEL", "debug"},
    };
    all["POSTRIDER_PUBLIC_URL"] = "http://127.0.0.1:" + std::to_string(port);
    for (auto const& [name, value] : more_) {
        if (value.empty())
            all.erase(name);
        else
            all[name] = value;
    }
    return all;
}

std::unique_ptr<postrider::tests::product> scene::neighbour() {
    auto const port = free_port();
    // The same public address, as behind one proxy: the webhook stays where it is.
    return std::make_unique<postrider::tests::product>(settings(product_->port()), port);
}

void scene::introduce() {
    say(alice, "hello from alice");
    say(bob, "hello from bob");
    if (!replies(2) || !settles())
        throw std::runtime_error("no answer to hello:\n" + product_->log());
}

telegram::said scene::say(user_id from, std::string text) {
    ++said_;
    telegram::simulated_message message;
    message.from = from;
    message.text = std::move(text);
    return telegram.say(message);
}

void scene::press(user_id person, chat_id chat, std::string_view button) {
    auto const messages = telegram.sent(chat);
    for (auto message = messages.rbegin(); message != messages.rend(); ++message) {
        auto const* markup = message->params.if_contains("reply_markup");
        if (!markup) continue;
        for (auto const& row : markup->at("inline_keyboard").as_array())
            for (auto const& cell : row.as_array())
                if (cell.at("text").as_string() == button) {
                    telegram.press(
                        {.from = person,
                         .chat = chat,
                         .message = message->message,
                         .data = std::string(cell.at("callback_data").as_string())}
                    );
                    return;
                }
    }
    FAIL() << "there is no button " << button;
}

bool scene::replies(std::size_t n, base::duration limit) const {
    return telegram.wait_for_sent(n, limit);
}

std::vector<std::string> scene::texts(std::optional<chat_id> chat) const {
    std::vector<std::string> all;
    for (auto const& call : telegram.sent(chat)) all.push_back(call.text);
    return all;
}

bool scene::comes_true(std::string const& sql, base::duration limit) const {
    return eventually([&] { return value(sql) == "t"; }, limit);
}

bool scene::settles(base::duration limit) {
    return comes_true(
        "select (select count(*) from postrider.inbox) >= " + std::to_string(said_) +
            " and not exists (select from postrider.job where finished_at is null)"
            " and not exists (select from postrider.busy_lane)",
        limit
    );
}

void scene::check_oracle() const {
    // L1: every update that was answered 200 has one row with one disposition, and every job ended.
    for (auto const& delivery : telegram.record().deliveries) {
        if (delivery.status != 200) continue;
        auto const id = base::to_string(delivery.update);
        EXPECT_EQ(value("select count(*) from postrider.inbox where update_id = " + id), "1")
            << "L1: update " << id;
    }
    EXPECT_EQ(value("select count(*) from postrider.job where finished_at is null"), "0") << "L1";
    // A document's job is begun by a turn.
    auto const jobs = value("select count(*) from postrider.job where kind <> 'knowledge.ingest'");
    EXPECT_EQ(value("select count(*) from postrider.inbox where disposition = 'job'"), jobs)
        << "L1: one job per update that makes one";
    EXPECT_EQ(
        value("select count(*) from postrider.message where role = 'user' and not "
              "coalesce(detail ? 'pressed', false)"),
        jobs
    ) << "L1: one user's message per job";

    // L2: one logical send was carried out once, or more often only where its effect is flagged
    // (once for each kill in between). Several jobs may say the same.
    for (auto const& [message, times] : carried_out(telegram)) {
        if (times == 1) continue;
        auto const effects = " from postrider.effect where request->>'chat' = '" +
                             std::to_string(message.first) + "' and request->>'text' = $$" +
                             message.second + "$$";
        if (times == std::stoi(value("select count(*)" + effects))) continue;
        EXPECT_GE(std::stoi(value("select count(*)" + effects + " and flagged")), 1)
            << "L2: doubled and not marked: " << message.second;
    }
    EXPECT_EQ(
        value(
            "select count(*) from postrider.effect where state not in ('done', 'failed', 'unknown')"
        ),
        "0"
    ) << "L2: an effect was left open";

    // L3: one final row per step.
    EXPECT_EQ(
        value(
            "select count(*) from (select job_id, key from postrider.step where outcome <> 'retry' "
            "group by 1, 2 having count(*) > 1) x"
        ),
        "0"
    ) << "L3";

    // L4: what one chat got to see follows its turns' order. Commands are answered beside them.
    EXPECT_EQ(
        value("select count(*) from (select telegram_message_id < lag(telegram_message_id) over "
              "(partition by m.lane_id order by m.job_id, m.position) as back "
              "from postrider.message m join postrider.job j on j.job_id = m.job_id "
              "and j.lane_id = m.lane_id where m.role = 'assistant' and m.delivery = 'sent') x "
              "where back"),
        "0"
    ) << "L4";

    // L5: nothing is leased any more.
    EXPECT_EQ(value("select count(*) from postrider.busy_lane"), "0") << "L5";
}

std::string update_json(update_id id, user_id from, std::string const& text, std::int64_t message) {
    auto const user = base::raw(from);
    return json::serialize(json::object{
        {"update_id", base::raw(id)},
        {"message",
         {{"message_id", message},
          {"date", 1795000000},
          {"from", {{"id", user}, {"is_bot", false}, {"first_name", "Alex"}}},
          {"chat", {{"id", user}, {"type", "private"}, {"first_name", "Alex"}}},
          {"text", text}}},
    });
}

} // namespace postrider::tests
