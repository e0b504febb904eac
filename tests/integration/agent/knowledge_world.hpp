#pragma once
// Documents in a real database, and the job that reads them: it dies where a test wants it, with what it had
// committed by then in the database.
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/knowledge_ingester.hpp"
#include "agent/flow/run/part_embedder.hpp"
#include "agent/knowledge/collections.hpp"
#include "agent/knowledge/documents.hpp"
#include "agent/knowledge/ingest_job.hpp"
#include "agent/knowledge/part_vectors.hpp"
#include "agent/knowledge/search.hpp"
#include "agent/models/embedding/embedder.hpp"
#include "storage/query.hpp"
#include "storage/stores/lanes.hpp"
#include "tests/integration/queue/world.hpp"
#include "tests/support/fake_workflow.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace postrider::tests {

// The same vector for every text but one that it refuses.
class counting_embedder final : public agent::embedder {
public:
    std::string const& name() const override { return name_; }
    void rename(std::string name) { name_ = std::move(name); }
    int dimension() const override { return 3; }
    std::int64_t cost_micro(std::int64_t tokens) const override { return tokens; }
    base::awaitable<base::result<agent::embedded_texts>> embed(
        std::vector<std::string> texts, std::chrono::milliseconds /*timeout*/
    ) override {
        ++calls;
        if (failure) co_return *failure;
        auto const is_refused = [this](std::string const& text) {
            return !refuses.empty() && text.find(refuses) != text.npos;
        };
        if (std::ranges::any_of(texts, is_refused))
            co_return base::error(base::errc::invalid, "HTTP 400");
        agent::embedded_texts embedded;
        embedded.vectors.assign(texts.size(), {1.0f, 0.0f, 0.0f});
        embedded.tokens = std::ssize(texts);
        co_return embedded;
    }

    int calls = 0;
    std::optional<base::error> failure;
    std::string refuses; // "" = nothing

private:
    std::string name_ = "counting/vectors";
};

// Fails the next reads, and passes the others on.
class failing_reads final : public storage::batcher {
public:
    explicit failing_reads(storage::batcher& real) : real_(real) {}

    base::awaitable<base::result<void>> commit(
        std::shared_ptr<storage::unit> work, base::duration deadline
    ) override {
        if (failures > 0) {
            --failures;
            co_return base::error(base::errc::unavailable);
        }
        co_return co_await real_.commit(std::move(work), deadline);
    }
    storage::batcher_counts counts() const override { return real_.counts(); }
    void close() override {}

    int failures = 0;

private:
    storage::batcher& real_;
};

class knowledge_fixture : public engine_fixture {
protected:
    knowledge_fixture() {
        node_ = &w.start_node({});
        reads.emplace(*node_->quick);
        w.in_transaction([this](storage::transaction& tx) {
            agent::recall::vector_model const vectors{embedder.name(), embedder.dimension()};
            has_vectors =
                agent::recall::prepare_vectors(tx, vectors) == agent::recall::vector_state::ready &&
                agent::knowledge::prepare_part_vectors(tx, vectors) ==
                    agent::recall::vector_state::ready;
            collection = agent::knowledge::find_or_create_collection(tx, "docs");
        });
    }

    agent::knowledge::added_document add(
        std::string name, std::string bytes, boost::json::object metadata = {}
    ) {
        agent::knowledge::new_document document;
        document.collection = collection;
        document.name = std::move(name);
        document.bytes = std::move(bytes);
        document.metadata = std::move(metadata);
        agent::knowledge::added_document added;
        w.in_transaction([&](storage::transaction& tx) {
            added = agent::knowledge::add_document(tx, document).value();
        });
        return added;
    }
    std::string job_of(std::int64_t document) {
        return w.value(
            fmt::format("select job_id from postrider.document where document_id = {}", document)
        );
    }

    // The job that makes the vectors of what was read last of it.
    std::string embedding_of(std::int64_t document) {
        return w.value(fmt::format(
            "select max(job_id) from postrider.job where kind = 'knowledge.embed' and "
            "input ->> 'document_id' = '{}'",
            document
        ));
    }

    // Runs a job of a document, or of vectors; dies in place of its n-th commit. Throws fake_workflow::died.
    queue::outcome run(std::string const& job_number, int dies_at_commit = 0) {
        auto services = services_of_jobs();
        bool const ingests =
            w.value("select kind from postrider.job where job_id = " + job_number) ==
            agent::knowledge::ingest_kind;
        auto const kind = ingests ? agent::flow::make_ingestions(services)
                                  : agent::flow::make_part_embeddings(services);
        return run_kind(kind, job_number, dies_at_commit);
    }
    // The number of the job that reads a document which somebody sent.
    std::string send(std::string name, std::string bytes, user_id user = user_id{7}) {
        chat.files["file-1"] = std::move(bytes);
        agent::knowledge::ingest_request request;
        auto& sent = request.sent.emplace();
        sent.collection = collection;
        sent.collection_name = "docs";
        sent.name = std::move(name);
        sent.media_type = "text/plain";
        sent.file = "file-1";
        sent.sender = {user, chat_id{base::raw(user)}, bot_id{1}};
        w.in_transaction([&](storage::transaction& tx) {
            sent.lane = storage::find_or_add_lane(tx, fmt::format("1:{}:0", base::raw(user)), {});
        });
        sent.language = "en";
        sent.when_stopped = "Stopped: " + sent.name;
        auto rows = agent::knowledge::ingest_sent(request);
        w.io.run(storage::query(*node_->intake, std::move(rows), std::chrono::seconds{5})).value();
        return w.value("select max(job_id) from postrider.job where kind = 'knowledge.ingest'");
    }
    std::string embed_later() {
        agent::knowledge::part_embedding job;
        w.in_transaction([&](storage::transaction& tx) {
            job = agent::knowledge::embed_parts_now(tx, embedder.name());
        });
        return std::to_string(base::raw(job.job));
    }
    // As a start with another model does it.
    void use_model(std::string name) {
        embedder.rename(std::move(name));
        w.in_transaction([this](storage::transaction& tx) {
            agent::knowledge::prepare_part_vectors(tx, {embedder.name(), embedder.dimension()});
        });
    }
    queue::outcome run_kind(
        queue::job_kind const& kind, std::string const& job_number, int dies_at_commit
    ) {
        queue::job job;
        job.id = job_id{std::stoll(job_number)};
        job.input = boost::json::parse(
            w.value("select coalesce(input, '{}') from postrider.job where job_id = " + job_number)
        );
        auto& record = records[job_number];
        fake_workflow steps{job, record};
        steps.dies_at_commit = dies_at_commit;
        steps.committed = [&] { store(record.writes, stored_[job_number]); };
        queue::workflow handle{steps};
        auto outcome = w.io.run(kind.run(handle), std::chrono::seconds{30});
        if (outcome.state != queue::job_state::completed && kind.failed) {
            auto rows = w.io.run(kind.failed(job, outcome));
            outcome.writes.insert(outcome.writes.end(), rows.begin(), rows.end());
        }
        steps.finish(outcome);
        return outcome;
    }
    // Of a document that is read: so many that they are deleted piece by piece.
    void add_parts_to(std::int64_t document, std::string const& text) {
        w.execute(fmt::format(
            "insert into postrider.document_part (document_id, collection_id, generation, number, "
            "heading, content, words) "
            "select d.document_id, d.collection_id, d.generation, n, '', '{1}', "
            "postrider.part_words(d.collection_id, '', '{1}', 'en') "
            "from postrider.document d, generate_series(2, 2500) n where d.document_id = {0}",
            document,
            text
        ));
    }
    // No document.
    static std::string picture() { return std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16); }
    // As an operator does it: nothing is recorded of it any more.
    void restart(std::string const& job_number) {
        records.erase(job_number);
        stored_.erase(job_number);
    }
    queue::outcome read(std::string name, std::string bytes, boost::json::object metadata = {}) {
        auto const added = add(std::move(name), std::move(bytes), std::move(metadata));
        return run(job_of(added.id));
    }

    std::vector<std::string> found(std::string query, boost::json::object filter = {}) {
        agent::knowledge::part_question question;
        question.collection = collection;
        question.text = std::move(query);
        question.filter = std::move(filter);
        question.vector = question_vector;
        std::vector<std::string> names;
        w.in_transaction([&](storage::transaction& tx) {
            names.clear();
            for (auto const& result : agent::knowledge::search_parts(tx, question))
                names.push_back(result.document + ": " + result.text);
        });
        return names;
    }
    std::string count(std::string const& table) {
        return w.value("select count(*) from postrider." + table);
    }

    base::manual_clock clock;
    counting_random random;
    scripted_model model;
    recording_chat chat;
    counting_embedder embedder;  // its vectors are all [1,0,0]
    std::string question_vector; // of what found() asks; "" = none
    net::guarded_client* web = nullptr;
    bool has_vectors = false;
    std::int64_t collection = 0;
    std::map<std::string, fake_record> records; // by job
    node* node_ = nullptr;
    std::optional<failing_reads> reads; // of the jobs

private:
    agent::flow::node_services services_of_jobs() {
        auto services = assistant_services(*reads, chat, clock, random, {.model = &model});
        if (has_vectors) services.embedder = &embedder;
        services.web = web;
        return services;
    }
    // What was committed since.
    void store(std::vector<storage::write> const& writes, std::size_t& stored) {
        w.in_transaction([&](storage::transaction& tx) {
            for (auto at = stored; at < writes.size(); ++at) {
                if (writes[at].statement->name.starts_with("record_audit")) continue;
                (void)tx.query(*writes[at].statement, {"[" + writes[at].row + "]"});
            }
        });
        stored = writes.size();
    }

    std::map<std::string, std::size_t> stored_;
};

} // namespace postrider::tests
