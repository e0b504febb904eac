#pragma once
// The rows by which a job reads its document (sql/functions/knowledge.sql), written within its commits. Each
// changes nothing where the document is gone or another job reads it by now.
#include "agent/knowledge/document.hpp"
#include "agent/knowledge/ingest_job.hpp"
#include "agent/knowledge/reading/document_parts.hpp"
#include "storage/batcher.hpp"

#include <span>
#include <string>
#include <vector>

namespace postrider::agent::knowledge {

// What one job makes of a document.
struct document_work {
    std::int64_t id = 0;
    std::int64_t generation = 0;
    std::string name = {};
    std::string media_type = {};
    std::int64_t parts = 0;
    bool answers = false;    // by parts of before
    std::string digest = {}; // of the bytes that they are of
    document_state state = document_state::reading;
};

// Of the document that names the job. Nothing: it is gone, or another job reads it. Fails as
// batcher::commit(), as the next one.
base::awaitable<base::result<std::optional<document_work>>> find_work(
    storage::batcher& reads, job_id job, base::duration deadline
);
base::awaitable<base::result<std::string>> read_content(
    storage::batcher& reads, document_work const& work, base::duration deadline
);

// Order 78, as the next one. Adds the document, or begins a generation of it.
storage::write begin_sent(sent_document const& sent, job_id job);
// Its bytes, which were loaded.
std::vector<storage::write> keep_loaded(
    document_work const& work,
    std::string_view bytes,
    std::string_view digest,
    std::string_view media_type
);
// Order 79, as the next two. What its bytes are, where these answer already.
storage::write note_loaded(
    document_work const& work, std::int64_t bytes, std::string_view media_type
);
struct read_facts {
    std::string title = {};
    std::optional<int> pages = {};
    std::int64_t parts = 0;
};
storage::write note_read(document_work const& work, read_facts const& facts);
storage::write note_progress(document_work const& work, std::int64_t parts_done);
// Numbered from `first`. Order 80.
storage::write add_parts(
    document_work const& work,
    std::int64_t first,
    std::span<document_part const> parts,
    std::string_view language
);
// Order 82, as the next ones; each ends the work. The parts of this generation answer from then on.
storage::write finish(document_work const& work);
// What was loaded is what answers already.
storage::write leave(document_work const& work);
// Of the document that names the job.
storage::write fail(job_id job, document_error const& error);

} // namespace postrider::agent::knowledge
