// `memory reembed`: vectors of the model that is configured now, for all memories.
#include "agent/flow/nodes/embedding_job.hpp"
#include "agent/models/embedding/embedder.hpp"
#include "agent/recall/vectors.hpp"
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/start/config.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

struct no_memory_options {};

void declare_reembed(option_parser&, no_memory_options&) {}

int run_reembed(context const& in, no_memory_options const&) {
    constexpr std::string_view doing = "make the vectors anew";
    if (!in.configured.values.embeddings)
        return fail(
            in,
            doing,
            base::error(base::errc::refused, "the configuration has no [embeddings.default]")
        );
    auto const model = agent::name_of(*in.configured.values.embeddings);
    queue::later_enqueued job;
    int const code = in_database(in, doing, [&](storage::transaction& tx) {
        agent::recall::forget_refusals(tx);
        job = agent::flow::reembed_now(tx, model);
    });
    if (code != 0) return code;
    if (in.json) {
        in.out << base::json_text(boost::json::object{
                      {"job_id", base::raw(job.id)}, {"created", job.created}})
               << '\n';
        return 0;
    }
    in.out << base::raw(job.id) << '\n';
    in.err << fmt::format(
        "{} A running server does it; postrider jobs show {} shows its batches.\n",
        job.created ? "The job is there." : "A job is at it already.",
        base::raw(job.id)
    );
    return 0;
}

} // namespace

namespace commands {

extern constinit command const memory_reembed{
    .path = "memory reembed",
    .summary = "Make vectors of all memories with the configured model",
    .example = "postrider memory reembed",
    .prepare = with_options<declare_reembed, run_reembed>};

} // namespace commands

} // namespace postrider::cli
