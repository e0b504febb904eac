// Vectors of memories in a real database with pgvector. Without the extension these tests are skipped, but for the first.
#include "agent/recall/vectors.hpp"
#include "tests/integration/agent/memories_world.hpp"

namespace postrider::tests::memory_vectors_test {
namespace {

using namespace std::chrono_literals;
namespace recall = agent::recall;
using recall::vector_state;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

base::awaitable<base::result<std::string>> vector_of_a_dog(std::string) {
    co_return std::string("[1,0.1,0]");
}

base::awaitable<base::result<std::string>> no_vector(std::string) {
    co_return base::error(base::errc::unavailable, "the server is away");
}

class memory_vectors : public memories_fixture {
protected:
    vector_state prepare(recall::vector_model const& wanted) {
        auto state = vector_state::denied;
        w.in_transaction([&](storage::transaction& tx) {
            state = recall::prepare_vectors(tx, wanted);
        });
        return state;
    }
    bool has_extension() {
        return w.value("select count(*) from pg_available_extensions where name = 'vector'") == "1";
    }
    void keep(
        std::string const& text, std::vector<float> numbers, recall::vector_model const& origin
    ) {
        auto const id =
            w.value("select memory_id from postrider.memory where content = '" + text + "'");
        commit({recall::keep_vector(std::stoll(id), numbers, origin)});
    }
    std::vector<std::string> near(std::vector<float> numbers, std::string text = "zebra") {
        recall::recall_question question;
        question.owner = {bot_id{1}, user_id{5}, {}};
        question.text = std::move(text);
        question.vector = recall::vector_text(numbers);
        question.least_score = 0.3;
        return found_by(std::move(question));
    }
    std::size_t bare(recall::vector_model const& wanted, bool again) {
        return w.io.run(recall::read_bare(*node_->quick, wanted, 0, again, 100, 5s)).value().size();
    }

    recall::vector_model model{"test/vectors", 3};
};

TEST_F(memory_vectors, are_not_needed) {
    remember("The dog is called Rex.");

    if (!has_extension()) {
        EXPECT_EQ(prepare(model), vector_state::missing);
    }
    EXPECT_THAT(near({1, 0, 0}, "dog"), ElementsAre("The dog is called Rex."));
    EXPECT_EQ(bare(model, false), 1u);
}

TEST_F(memory_vectors, find_a_memory_in_other_words_and_its_own_first) {
    if (!has_extension()) GTEST_SKIP() << "Postgres has no pgvector";
    ASSERT_EQ(prepare(model), vector_state::ready);
    ASSERT_EQ(prepare(model), vector_state::ready);
    remember("The dog is called Rex.");
    remember("Ann likes green tea.");
    keep("The dog is called Rex.", {1, 0.1f, 0}, model);
    keep("Ann likes green tea.", {0, 1, 0}, model);

    EXPECT_THAT(near({1, 0, 0}), ElementsAre("The dog is called Rex."));
    EXPECT_THAT(near({0.9f, 0.8f, 0}, "tea").front(), "Ann likes green tea.")
        << "both searches have it";
    EXPECT_EQ(bare(model, true), 0u);
    w.execute("delete from postrider.memory where content like '%Rex%'");
    EXPECT_THAT(near({1, 0, 0}), IsEmpty());
}

TEST_F(memory_vectors, find_for_the_tool_what_is_asked_in_other_words) {
    if (!has_extension()) GTEST_SKIP() << "Postgres has no pgvector";
    ASSERT_EQ(prepare(model), vector_state::ready);
    remember("The dog is called Rex.");
    remember("Ann likes green tea.");
    keep("The dog is called Rex.", {1, 0, 0}, model);
    keep("Ann likes green tea.", {0, 1, 0}, model);
    EXPECT_THAT(answer_of("recall", {{"query", "zebra"}}), HasSubstr("Nothing"));

    vector_of = vector_of_a_dog;
    EXPECT_THAT(
        answer_of("recall", {{"query", "zebra"}}), AllOf(HasSubstr("Rex"), Not(HasSubstr("tea")))
    );
    vector_of = no_vector;
    EXPECT_THAT(answer_of("recall", {{"query", "zebra"}}), HasSubstr("Nothing"));
    EXPECT_THAT(answer_of("recall", {{"query", "dog"}}), HasSubstr("Rex")) << "by its words";
}

// Those of an owner with few are all compared, those of one with many by the index.
TEST_F(memory_vectors, of_few_and_of_many_are_found_alike) {
    if (!has_extension()) GTEST_SKIP() << "Postgres has no pgvector";
    ASSERT_EQ(prepare(model), vector_state::ready);
    remember("The dog is called Rex.");
    keep("The dog is called Rex.", {1, 0, 0}, model);
    EXPECT_THAT(near({1, 0, 0}), ElementsAre("The dog is called Rex."));

    w.execute(
        "insert into postrider.memory (user_id, chat_id, bot_id, kind, content, language, words, "
        "made_by) select 5, 0, 1, 'fact', 'number ' || n, '', 'number', 'filled:' || n "
        "from generate_series(1, 1200) n"
    );
    w.execute(
        "select postrider.keep_embedding(m.memory_id, format('[%s,1,%s]', m.memory_id % 7 * 0.1, "
        "m.memory_id % 11 * 0.1), 'test/vectors', 3) from postrider.memory m where m.kind = 'fact'"
    );
    EXPECT_EQ(near({1, 0, 0}).front(), "The dog is called Rex.");
}

// A server that refuses a text is not asked again, until somebody says so or the model is another.
TEST_F(memory_vectors, are_not_asked_for_again_where_the_server_refuses) {
    remember("The dog is called Rex.");
    auto const id = std::stoll(w.value("select memory_id from postrider.memory"));
    auto const wants = [this] {
        bool wanted = false;
        w.in_transaction([&](storage::transaction& tx) {
            wanted = recall::wants_vectors(tx, model);
        });
        return wanted;
    };
    EXPECT_TRUE(wants());

    commit({recall::mark_refused(id, model)});
    EXPECT_EQ(bare(model, false), 0u);
    EXPECT_EQ(bare(model, true), 0u);
    EXPECT_FALSE(wants());
    EXPECT_THAT(found_by("dog"), ElementsAre("The dog is called Rex."));

    w.in_transaction([&](storage::transaction& tx) { recall::forget_refusals(tx); });
    EXPECT_EQ(bare(model, false), 1u);
    if (!has_extension()) return;
    ASSERT_EQ(prepare(model), vector_state::ready);
    keep("The dog is called Rex.", {1, 0, 0}, model);
    EXPECT_FALSE(wants());
    recall::vector_model const later_model{"test/later_model", 3};
    w.in_transaction([&](storage::transaction& tx) {
        EXPECT_TRUE(recall::wants_vectors(tx, later_model));
    });
}

TEST_F(memory_vectors, belong_to_their_owner) {
    if (!has_extension()) GTEST_SKIP() << "Postgres has no pgvector";
    ASSERT_EQ(prepare(model), vector_state::ready);
    remember("The dog is called Rex.");
    keep("The dog is called Rex.", {1, 0, 0}, model);

    w.execute("update postrider.memory_embedding set user_id = 6");

    EXPECT_THAT(near({1, 0, 0}), IsEmpty());
}

TEST_F(memory_vectors, of_two_models_or_dimensions_are_never_mixed) {
    if (!has_extension()) GTEST_SKIP() << "Postgres has no pgvector";
    ASSERT_EQ(prepare(model), vector_state::ready);
    remember("The dog is called Rex.");
    keep("The dog is called Rex.", {1, 0, 0}, model);
    recall::vector_model const later_model{"test/later_model", 3};
    recall::vector_model const longer{"test/vectors", 4};

    EXPECT_THAT(near({1, 0, 0, 0}), IsEmpty()) << "a question of another dimension";
    keep("The dog is called Rex.", {0, 0, 1}, later_model);
    EXPECT_THAT(near({1, 0, 0}), ElementsAre("The dog is called Rex."))
        << "that one was not stored";

    ASSERT_EQ(prepare(later_model), vector_state::ready);
    EXPECT_THAT(near({1, 0, 0}), IsEmpty());
    EXPECT_EQ(bare(later_model, false), 0u);
    EXPECT_EQ(bare(later_model, true), 1u) << "reembed finds it";
    ASSERT_EQ(prepare(longer), vector_state::ready);
    keep("The dog is called Rex.", {1, 0, 0, 0}, longer);
    EXPECT_THAT(near({1, 0, 0, 0}), ElementsAre("The dog is called Rex."));
}

} // namespace
} // namespace postrider::tests::memory_vectors_test
