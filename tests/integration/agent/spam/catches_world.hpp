#pragma once
// Spam of Eve in a group, and a database for what is done about it.
#include "agent/spam/store/catches.hpp"
#include "storage/query.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <boost/json/object.hpp>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::spam::caught_spam {

using namespace std::chrono_literals;

inline constexpr chat_id group{-100};
inline constexpr user_id eve{7};

inline caught_message caught(std::int64_t number, std::string album = {}) {
    caught_message message;
    message.key = {group, telegram_message_id{number}, eve};
    message.bot = bot_id{1};
    message.name = "Eve";
    message.album = std::move(album);
    message.action = catch_action::ban;
    message.strikes = 1;
    message.verdict = boost::json::object{{"points", 130}};
    message.text = "earn money now";
    return message;
}

class catches_world : public testing::Test {
protected:
    catches_world() {
        storage::batcher_options options;
        options.name = "writes";
        batches_ = storage::make_batcher(io_.executor(), database_.options(), options);
    }
    ~catches_world() override { batches_->close(); }

    void commit(std::vector<storage::write> writes) {
        auto const done = io_.run(storage::query(*batches_, std::move(writes), 5s));
        ASSERT_TRUE(done) << to_string(done.error());
    }
    void run(std::function<void(storage::transaction&)> const& work) {
        auto const done = storage::run_blocking(database_.options(), work);
        ASSERT_TRUE(done) << to_string(done.error());
    }
    catch_record record_of(caught_message const& message, bool acts = true) {
        return io_.run(look_for_catch(*batches_, message.key, message.album, 1h, acts, 5s)).value();
    }
    std::string value(std::string_view sql) { return database_.value(sql); }

    tests::test_database database_;
    tests::loop io_;
    std::unique_ptr<storage::batcher> batches_;
};

} // namespace postrider::agent::spam::caught_spam
