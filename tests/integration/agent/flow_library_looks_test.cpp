// What a look of a process finds where it cannot tell by the numbers of transactions what is new.
#include "tests/integration/agent/flow_library_world.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::flow::flow_library_looks_test {
namespace {

using testing::ElementsAre;

// Says of each look another moment than its cluster.
class other_moments final : public storage::database {
public:
    explicit other_moments(storage::database& inner) : inner_(inner) {}

    base::awaitable<base::result<void>> run(
        std::string_view name,
        std::function<void(storage::transaction&)> work,
        base::duration deadline
    ) override {
        auto told = [work = std::move(work), moment = moment](storage::transaction& tx) {
            telling within(tx, moment);
            work(within);
        };
        return inner_.run(name, std::move(told), deadline);
    }
    base::awaitable<base::result<storage::rows>> query(
        storage::statement statement, std::vector<storage::param> params, base::duration deadline
    ) override {
        return inner_.query(statement, std::move(params), deadline);
    }
    storage::database_options const& options() const override { return inner_.options(); }
    void close() override { inner_.close(); }
    std::string moment;

private:
    class telling final : public storage::transaction {
    public:
        telling(storage::transaction& inner, std::string moment)
            : inner_(inner),
              moment_(std::move(moment)) {}
        storage::rows query(
            storage::statement const& statement, std::vector<storage::param> const& params
        ) override {
            if (statement.name == "flows.moment") return {storage::row({moment_})};
            return inner_.query(statement, params);
        }
        void script(std::string_view sql) override { inner_.script(sql); }

    private:
        storage::transaction& inner_;
        std::string moment_;
    };

    storage::database& inner_;
};

// A cluster that was brought back from a backup of before counts its transactions on from there.
TEST_F(flow_library, reads_all_anew_where_transactions_are_counted_from_before) {
    publish("a", document("a"));
    publish("b", document("b"));
    other_moments restored(*db);
    library flows(io.executor(), restored, types);
    restored.moment = "1000000000";
    for (int look = 0; look < 2; ++look) {
        refresh(flows);
        archive("a");
    }
    ASSERT_THAT(flows.names(), ElementsAre("a", "b")) << "by that count nothing changed";

    restored.moment = "3";
    change([](auto& tx) { storage::delete_flow(tx, storage::lock_flow(tx, "a")->id); });
    database.execute("delete from postrider.flow_gone");
    refresh(flows);
    EXPECT_THAT(flows.names(), ElementsAre("b"));
}

// A standby that took over may have counted past what it lost.
TEST_F(flow_library, looks_at_all_now_and_then) {
    publish("a", document("a"));
    publish("b", document("b"));
    library_options options;
    options.looks_until_complete = 3;
    auto flows = make(options);
    refresh(flows);
    database.execute(
        "alter table postrider.flow disable trigger flow_changes;"
        "update postrider.flow set archived_at = postrider.now(), changed_in = '3' where name = 'a'"
    );
    refresh(flows);
    refresh(flows);
    ASSERT_THAT(flows.names(), ElementsAre("a", "b")) << "nobody told of it";

    refresh(flows);
    EXPECT_THAT(flows.names(), ElementsAre("b"));
}

// Only by SQL: the product refuses it.
TEST_F(flow_library, finds_a_flow_by_its_row_whatever_its_document_says) {
    publish("a", document("other", "telegram.message"));
    auto flows = make();
    refresh(flows);
    auto const found = [&] { return flows.starts().message({"main", chat_id{1}, ""}); };
    EXPECT_EQ(found()->flow, "a");

    archive("a");
    refresh(flows);
    EXPECT_EQ(found(), std::nullopt);
}

} // namespace
} // namespace postrider::agent::flow::flow_library_looks_test
