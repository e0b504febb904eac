#include "agent/flow/run/knowledge_ingester.hpp"

#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/document_load.hpp"
#include "agent/flow/run/document_notice.hpp"
#include "agent/knowledge/document_rows.hpp"
#include "agent/knowledge/reading/read_document.hpp"
#include "agent/recall/memory.hpp"
#include "agent/speech/speech.hpp"
#include "base/json/json.hpp"
#include "base/on_thread.hpp"
#include "net/digest.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <stop_token>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::size_t parts_of_a_batch = 200;
constexpr std::size_t read_for_language = 4'000; // bytes

constexpr base::retry_policy loading_tries{
    .limit = 4,
    .delay = std::chrono::seconds{10},
    .backoff = base::backoff_shape::exponential,
    .timeout = std::chrono::minutes{2}};
// A reader bounds itself; one that was too slow is no better the next time.
constexpr base::retry_policy reading_tries{
    .limit = 2, .delay = std::chrono::seconds{5}, .timeout = std::chrono::minutes{5}};

struct read_parts {
    knowledge::read_facts facts;
    std::string language;
    std::vector<knowledge::document_part> parts;
};

knowledge::document_error document_error_of(base::error const& error) {
    auto const code = error.reason.empty() ? base::to_string(error.code) : error.reason;
    return {std::string(code), knowledge::sentence_of(error)};
}

read_parts read_parts_of(knowledge::document_text const& document) {
    read_parts read;
    read.parts = knowledge::split_into_parts(document);
    read.facts = {document.title, document.pages, std::ssize(read.parts)};
    std::string beginning;
    for (auto const& part : read.parts) {
        if (beginning.size() > read_for_language) break;
        beginning.append(part.text).append("\n");
    }
    read.language = recall::language_of_memory(beginning);
    return read;
}

// What one run of the job works with. It outlives its coroutines.
class ingester {
public:
    ingester(
        node_services const& services, queue::workflow& steps, knowledge::ingest_request request
    )
        : services_(services),
          steps_(steps),
          request_(std::move(request)) {}

    base::awaitable<queue::outcome> run() {
        auto outcome = co_await ingest();
        if (!request_.sent || outcome.state != queue::job_state::completed) co_return outcome;
        if (failure_) {
            std::ranges::move(
                tell_of_unread_document(steps_.job(), outcome, failure_->message),
                std::back_inserter(outcome.writes)
            );
            co_return outcome;
        }
        // The parts answer before somebody hears of it: they are committed with the intent.
        for (auto& row : outcome.writes) steps_.add(std::move(row));
        outcome.writes.clear();
        co_await tell_of_ready_document(services_, steps_, *request_.sent);
        co_return outcome;
    }

private:
    base::awaitable<queue::outcome> ingest() {
        if (request_.sent) co_await begin();
        auto const own_work = co_await find_own_work();
        if (!own_work) co_return queue::outcome::failed(own_work.error());
        if (!*own_work) {
            steps_.skip_unasked();
            co_return queue::outcome::cancelled();
        }
        work_ = std::move(**own_work);
        if (is_over())
            co_return queue::outcome::failed(base::error(
                base::errc::refused, "A job reads a document once. Add the document again."
            ));
        auto const changed = co_await load();
        if (!changed) co_return unread(changed.error());
        if (!*changed) {
            parts_ = work_.parts;
            auto outcome = queue::outcome::completed(json::object{{"unchanged", true}});
            outcome.writes.push_back(knowledge::note_loaded(work_, loaded_bytes_, work_.media_type)
            );
            outcome.writes.push_back(knowledge::leave(work_));
            co_return outcome;
        }
        auto const read = co_await read_and_write();
        if (!read) co_return unread(read.error());
        auto outcome = queue::outcome::completed(json::object{{"parts", parts_}});
        if (services_.embedder)
            outcome.writes = knowledge::embed_document_later({work_.id, work_.generation});
        outcome.writes.push_back(knowledge::finish(work_));
        co_return outcome;
    }

    // A document that cannot be loaded or read is to be expected: the job has done its work, and the document says why.
    queue::outcome unread(base::error const& error) {
        if (is_defect(error) || error == base::errc::cancelled)
            return queue::outcome::failed(error);
        failure_ = document_error_of(error);
        auto outcome = queue::outcome::completed(json::object{{"failed", failure_->code}});
        outcome.writes.push_back(knowledge::fail(steps_.job().id, *failure_));
        return outcome;
    }

    // Somebody has restarted the job: its bytes are gone, and its generation is not made twice.
    bool is_over() const {
        bool const has_begun = steps_.recorded("load") || steps_.recorded("read");
        return work_.state != knowledge::document_state::reading && !has_begun;
    }

    // A database that is away for a while ends no job.
    base::awaitable<base::result<std::optional<knowledge::document_work>>> find_own_work() {
        for (auto pause = first_pause;; pause = std::min(pause * 2, longest_pause)) {
            auto own_work = co_await knowledge::find_work(
                services_.reads, steps_.job().id, bounds::longest_read
            );
            if (own_work || is_defect(own_work.error())) co_return std::move(own_work);
            co_await base::sleep_for(pause);
        }
    }

    base::awaitable<base::result<std::string>> stored_bytes() {
        for (auto pause = first_pause;; pause = std::min(pause * 2, longest_pause)) {
            auto bytes = co_await knowledge::read_content(services_.reads, work_, content_deadline);
            if (bytes || is_defect(bytes.error())) co_return std::move(bytes);
            co_await base::sleep_for(pause);
        }
    }

    static bool is_defect(base::error const& failure) {
        return failure == base::errc::poison || failure == base::errc::internal;
    }

    base::awaitable<void> begin() {
        if (steps_.recorded("begin")) {
            (void)co_await steps_.record_value("begin", json::value());
            co_return;
        }
        (void)co_await steps_.record_value("begin", json::value());
        steps_.add(knowledge::begin_sent(*request_.sent, steps_.job().id));
        (void)co_await steps_.commit();
    }

    // False: what was loaded answers already.
    base::awaitable<base::result<bool>> load() {
        if (request_.url.empty() && !request_.sent) co_return true;
        bool const was_recorded = steps_.recorded("load");
        auto const work = [this] { return load_bytes(); };
        auto const loaded = co_await steps_.try_step("load", loading_tries, work);
        if (!loaded) co_return loaded.error();
        base::json_reader const facts{*loaded};
        work_.media_type = facts["media_type"].string_or("");
        loaded_bytes_ = facts["bytes"].int64_or(0);
        if (facts["unchanged"].boolean_or(false)) co_return false;
        if (!was_recorded) {
            for (auto& row : rows_) steps_.add(std::move(row));
            (void)co_await steps_.commit();
        }
        co_return true;
    }

    base::awaitable<queue::step_value> load_bytes() {
        rows_.clear();
        auto loaded = co_await load_document(services_, request_);
        if (!loaded) co_return loaded.error();
        bool unchanged = false;
        // Of 32 MiB that takes a good part of a second.
        std::function<void(std::stop_token)> const encode = [&](std::stop_token) {
            auto const digest = net::sha256_hex(loaded->bytes);
            unchanged = work_.answers && digest == work_.digest;
            if (!unchanged)
                rows_ = knowledge::keep_loaded(work_, loaded->bytes, digest, loaded->media_type);
        };
        co_await base::run_on_thread(encode);
        co_return json::object{
            {"bytes", std::ssize(loaded->bytes)},
            {"media_type", loaded->media_type},
            {"unchanged", unchanged}};
    }

    // Reads it, unless a run before has, and stores its parts.
    base::awaitable<base::result<void>> read_and_write() {
        bool const was_recorded = steps_.recorded("read");
        auto const work = [this] { return read_document(); };
        auto const recorded = co_await steps_.try_step("read", reading_tries, work);
        if (!recorded) co_return recorded.error();
        parts_ = recorded->at("parts").as_int64();
        if (!was_recorded) {
            steps_.add(knowledge::note_read(work_, read_->facts));
            (void)co_await steps_.commit();
        }
        auto const language = std::string(recorded->at("language").as_string());
        auto const part_count = static_cast<std::size_t>(parts_);
        for (std::size_t first = 0; first < part_count; first += parts_of_a_batch) {
            auto const last = std::min(first + parts_of_a_batch, part_count);
            auto const written = co_await write_parts(first, last, language);
            if (!written) co_return written.error();
        }
        read_.reset();
        co_return base::result<void>{};
    }

    base::awaitable<queue::step_value> read_document() {
        auto const read = co_await read_again();
        if (!read) co_return read.error();
        co_return json::object{{"parts", read_->facts.parts}, {"language", read_->language}};
    }

    base::awaitable<base::result<void>> read_again() {
        auto bytes = co_await stored_bytes();
        if (!bytes) co_return bytes.error();
        knowledge::document_file file;
        file.name = request_.url.empty() ? work_.name : request_.url;
        file.media_type = work_.media_type;
        file.bytes = std::move(*bytes);
        auto const document = co_await knowledge::read_document(std::move(file));
        if (!document) co_return final_error(document.error());
        // The text of a long book takes the better part of a second.
        std::function<void(std::stop_token)> const split = [this, &document](std::stop_token) {
            read_ = read_parts_of(*document);
        };
        co_await base::run_on_thread(split);
        if (read_->parts.empty())
            co_return base::error(
                base::errc::invalid,
                "The document has no text.",
                knowledge::reading_failure::no_text
            );
        co_return base::result<void>{};
    }

    // Most failures of a reader stay what they are, however often it is asked.
    static base::error final_error(base::error failure) {
        if (failure.reason == knowledge::reading_failure::too_slow ||
            failure.reason == knowledge::reading_failure::tool_missing)
            failure.code = base::errc::refused;
        return failure;
    }

    base::awaitable<base::result<void>> write_parts(
        std::size_t first, std::size_t last, std::string const& language
    ) {
        auto const name = fmt::format("parts:{}", first / parts_of_a_batch + 1);
        if (steps_.recorded(name)) {
            (void)co_await steps_.record_value(name, json::value());
            co_return base::result<void>{};
        }
        if (!read_) {
            auto const read = co_await read_again();
            if (!read) co_return read.error();
        }
        if (read_->facts.parts != parts_)
            co_return base::error(
                base::errc::mismatch,
                "The document was read in another way after an update. Add it again."
            );
        std::span<knowledge::document_part const> const parts(read_->parts);
        (void)co_await steps_.record_value(name, json::value());
        auto const number = static_cast<std::int64_t>(first) + 1;
        steps_.add(knowledge::add_parts(work_, number, parts.subspan(first, last - first), language)
        );
        auto const done = static_cast<std::int64_t>(last);
        steps_.add(knowledge::note_progress(work_, done));
        (void)co_await steps_.commit();
        co_return base::result<void>{};
    }

    static constexpr std::chrono::seconds content_deadline{60};
    static constexpr std::chrono::milliseconds first_pause{100};
    static constexpr std::chrono::milliseconds longest_pause{2'000};

    node_services const& services_;
    queue::workflow& steps_;
    knowledge::ingest_request request_;
    knowledge::document_work work_ = {};
    std::int64_t parts_ = 0;
    std::int64_t loaded_bytes_ = 0;
    std::optional<read_parts> read_ = {};                   // in this run
    std::vector<storage::write> rows_ = {};                 // of the step under way
    std::optional<knowledge::document_error> failure_ = {}; // why the document is not read
};

base::awaitable<queue::outcome> run_ingestion(
    node_services const& services, queue::workflow& steps
) {
    auto request = knowledge::ingest_request_from(steps.job().input);
    if (!request) co_return queue::outcome::failed(request.error());
    if (auto const& sent = request->sent)
        leave_to_a_node_serving(
            services.out,
            {.bot = sent->sender.bot, .chat = sent->sender.chat, .thread = sent->thread}
        );
    ingester work(services, steps, std::move(*request));
    co_return co_await work.run();
}

knowledge::document_error error_of_end(queue::outcome const& ended) {
    if (ended.state == queue::job_state::cancelled)
        return {"stopped", "The job that read it was stopped."};
    return document_error_of(ended.error);
}

base::awaitable<std::vector<storage::write>> rows_of_end(
    job_id job, knowledge::document_error error, std::vector<storage::write> notice
) {
    notice.push_back(knowledge::fail(job, error));
    co_return notice;
}

} // namespace

queue::job_kind make_ingestions(node_services const& services) {
    auto run = [&services](queue::workflow& steps) { return run_ingestion(services, steps); };
    auto failed = [](queue::job const& job, queue::outcome const& ended) {
        auto error = error_of_end(ended);
        auto notice = tell_of_unread_document(job, ended, error.message);
        return rows_of_end(job.id, std::move(error), std::move(notice));
    };
    return {.name = std::string(knowledge::ingest_kind), .run = run, .failed = failed};
}

} // namespace postrider::agent::flow
