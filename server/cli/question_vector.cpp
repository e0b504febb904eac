#include "server/cli/question_vector.hpp"

#include "agent/models/embedding/embedder.hpp"
#include "agent/recall/vectors.hpp"
#include "base/clock.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/online_work.hpp"
#include "server/start/config.hpp"
#include "server/views/person_calls.hpp"

namespace postrider::cli {

namespace {

constexpr std::chrono::seconds longest_wait_for_vector{10};
constexpr std::string_view no_answer = "The server for embeddings does not answer.";
constexpr std::string_view counting_the_call = "count the call for the question's vector";

// Nothing else waits on the loop: it may block.
base::awaitable<base::result<std::string>> embed_question(
    context const& in, net::http_client& http, std::string subject, std::string question
) {
    auto const& settings = in.configured.values;
    auto const embedder = agent::make_embedder(*settings.embeddings, http, base::system_clock());
    if (!embedder) co_return embedder.error();
    auto const call = server::question_call_of(
        **embedder,
        std::move(subject),
        question,
        server::budgets_of_person(settings.budgets, {}),
        base::system_random()
    );
    std::optional<base::error> refusal;
    int const code = in_database(in, counting_the_call, [&](storage::transaction& tx) {
        refusal = server::begin_call(tx, call, longest_wait_for_vector);
    });
    if (code != 0) co_return base::error(base::errc::unavailable, "The database does not answer.");
    if (refusal) co_return *refusal;
    std::vector<std::string> texts{std::move(question)};
    auto const embedded = co_await (*embedder)->embed(std::move(texts), longest_wait_for_vector);
    (void)in_database(in, counting_the_call, [&](storage::transaction& tx) {
        server::end_call(tx, call, **embedder, embedded);
    });
    if (!embedded) co_return base::error(embedded.error().code, std::string(no_answer));
    co_return agent::recall::vector_text(embedded->vectors.front());
}

} // namespace

base::result<std::string> vector_of_question(
    context const& in, std::string const& subject, std::string const& question
) {
    if (!in.configured.values.embeddings) return std::string();
    return run_online([&](net::http_client& http) {
        return embed_question(in, http, subject, question);
    });
}

} // namespace postrider::cli
