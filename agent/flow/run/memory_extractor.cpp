#include "agent/flow/run/memory_extractor.hpp"

#include "agent/flow/nodes/extraction_job.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/job_model_call.hpp"
#include "agent/flow/run/requested_work.hpp"
#include "agent/loop/find_json.hpp"
#include "agent/loop/untrusted_text.hpp"
#include "agent/recall/extraction.hpp"
#include "agent/recall/store.hpp"
#include "base/json/json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr int most_messages_of_a_batch = 200; // a quarter of that for each job that was refused
constexpr int most_refusals = 4;              // then the batch is skipped
constexpr std::int64_t most_bytes_of_a_batch = 48'000; // about 12,000 tokens
constexpr int most_extractions = 50;                   // of one job; the next turn begins another
constexpr int extraction_tokens = 3'000;

constexpr base::retry_policy extraction_tries{
    .limit = 5, .delay = std::chrono::seconds{30}, .timeout = std::chrono::minutes{15}};

// Of messages, not of the way to the model: it does not pass by itself.
bool is_refusal(base::error const& failure) {
    switch (failure.code) {
    case base::errc::refused:
    case base::errc::invalid:
    case base::errc::context_too_long:
    case base::errc::too_large:
    case base::errc::poison:
    case base::errc::lost:
        return true;
    default:
        return false;
    }
}

json::value source_json(recall::memory_source const& source) {
    return json::array{base::raw(source.job), source.position, source.digest};
}

recall::memory_source source_from(json::value const& place, lane_id lane) {
    return {
        .lane = lane,
        .job = job_id{place.at(0).as_int64()},
        .position = place.at(1).as_int64(),
        .digest = std::string(place.at(2).as_string())};
}

// What one run of the job asks with. It outlives its coroutines.
class memory_extractor {
public:
    memory_extractor(
        node_services const& services, queue::workflow& steps, extraction_request request
    )
        : services_(services),
          steps_(steps),
          request_(std::move(request)),
          model_(services, steps, request_.flow) {}

    base::awaitable<queue::outcome> run() {
        auto outcome = queue::outcome::completed();
        json::object done{{"batches", 0}, {"memories", 0}};
        for (int batch = 1; batch <= most_extractions; ++batch) {
            auto const name = fmt::format("extract:{}", batch);
            bool const was_recorded = steps_.recorded(name);
            auto const work = [this, &name] { return extract(name); };
            auto const recorded = co_await steps_.try_step(name, extraction_tries, work);
            if (!recorded) co_return queue::outcome::failed(recorded.error());
            if (recorded->is_null()) {
                // Nothing is left to be read: no turn is to ask for that again.
                outcome.writes.push_back(recall::note_all_read(request_.lane, request_.until));
                break;
            }
            auto const rows = rows_of(*recorded, batch);
            done["batches"] = batch;
            // The last row says how far the job has come.
            done["memories"] = done["memories"].as_int64() + std::ssize(rows) - 1;
            if (was_recorded) continue;
            for (auto const& row : rows) steps_.add(row);
            (void)co_await steps_.commit();
        }
        outcome.output = std::move(done);
        co_return outcome;
    }

private:
    base::awaitable<queue::step_value> extract(std::string const& step) {
        auto const refusals =
            co_await recall::read_refusals(services_.reads, request_.lane, bounds::longest_read);
        if (!refusals) co_return refusals.error();
        bool const skips = *refusals >= most_refusals;
        auto const most = most_messages_of_a_batch >> (2 * (skips ? most_refusals - 1 : *refusals));
        auto const messages = co_await recall::read_older(
            services_.reads,
            request_.lane,
            request_.until,
            most,
            most_bytes_of_a_batch,
            bounds::longest_read
        );
        if (!messages) co_return messages.error();
        if (messages->empty()) co_return json::value();
        if (skips) {
            json::object skipped{{"skipped", std::ssize(*messages)}};
            skipped["last"] = source_json(messages->back().place);
            co_return json::value(std::move(skipped));
        }
        auto const reply =
            co_await model_.ask_selected(request_.model, question_about(*messages), step);
        if (!reply) co_return reply.error();
        auto const extracted = read_answer(reply->text, messages->size());
        if (!extracted) co_return extracted.error();
        co_return record_of(*extracted, *messages);
    }

    // The words of a model that writes no JSON are a summary, or each turn would ask it again.
    static base::result<recall::extraction> read_answer(
        std::string_view text, std::size_t messages
    ) {
        auto const answer = find_json(text, [](auto const& value) { return value.is_object(); });
        if (answer)
            if (auto extracted = recall::extraction_from(*answer, messages)) return extracted;
        recall::extraction plain;
        plain.summary = recall::summary_from(text);
        if (plain.summary.empty())
            return base::error(base::errc::invalid, "the model's summary is empty");
        return plain;
    }

    static chat_request question_about(std::vector<recall::older_message> const& messages) {
        chat_request question;
        std::string text(recall::extraction_instructions());
        text.append("\n\n").append(mark_untrusted(recall::numbered_lines(messages), "conversation")
        );
        question.messages.push_back({.role = role::user, .content = std::move(text)});
        question.max_tokens = extraction_tokens;
        question.answer_schema = recall::extraction_schema();
        return question;
    }

    static json::value record_of(
        recall::extraction const& extracted, std::vector<recall::older_message> const& messages
    ) {
        json::array read;
        for (auto const& message : messages) read.push_back(source_json(message.place));
        json::array facts;
        for (auto const& fact : extracted.facts) {
            json::array numbers;
            for (auto const place : fact.messages)
                numbers.emplace_back(static_cast<std::int64_t>(place));
            facts.push_back({{"text", fact.text}, {"messages", std::move(numbers)}});
        }
        return {
            {"summary", extracted.summary}, {"facts", std::move(facts)}, {"read", std::move(read)}};
    }

    // The last one notes how far the job has come.
    std::vector<storage::write> rows_of(json::value const& record, int batch) const {
        if (auto const* skipped = record.as_object().if_contains("skipped"))
            return {recall::skip_read(
                source_from(record.at("last"), request_.lane), skipped->as_int64()
            )};
        std::vector<recall::memory_source> sources;
        for (auto const& place : record.at("read").as_array())
            sources.push_back(source_from(place, request_.lane));
        std::vector<storage::write> rows;
        recall::new_memory memory;
        memory.owner = request_.owner;
        memory.needs_sources = true;
        memory.kind = recall::memory_kind::fact;
        for (auto const& fact : record.at("facts").as_array()) {
            memory.key = key_of(batch, std::ssize(rows) + 1);
            memory.text = fact.at("text").as_string();
            memory.sources.clear();
            for (auto const& number : fact.at("messages").as_array())
                memory.sources.push_back(sources.at(static_cast<std::size_t>(number.as_int64())));
            rows.push_back(recall::add_memory(memory));
        }
        memory.kind = recall::memory_kind::summary;
        memory.key = key_of(batch, 0);
        memory.text = record.at("summary").as_string();
        memory.sources = sources;
        rows.push_back(recall::add_memory(memory));
        rows.push_back(recall::note_read(sources.back(), memory.key));
        return rows;
    }

    std::string key_of(int batch, std::int64_t number) const {
        auto const& job = steps_.job();
        return fmt::format("job:{}.{}:{}.{}", base::raw(job.id), job.restarts, batch, number);
    }

    node_services const& services_;
    queue::workflow& steps_;
    extraction_request request_;
    job_model_call model_;
};

base::awaitable<std::vector<storage::write>> rows_of_failed_extraction(
    queue::job const& job, queue::outcome const& ended
) {
    std::vector<storage::write> rows;
    auto const request = extraction_request_from(job.input);
    if (ended.state == queue::job_state::failed && request)
        rows.push_back(
            recall::note_failed_reading(request->lane, job.id, ended.error, is_refusal(ended.error))
        );
    co_return rows;
}

} // namespace

queue::job_kind make_memory_extractions(node_services const& services) {
    auto run = [&services](queue::workflow& steps) {
        return run_requested<memory_extractor, extraction_request_from>(services, steps);
    };
    return {.name = std::string(extraction_kind), .run = run, .failed = rows_of_failed_extraction};
}

} // namespace postrider::agent::flow
