#include "agent/flow/nodes/data_tables.hpp"
#include "agent/flow/nodes/field_of_item.hpp"
#include "agent/flow/nodes/knowledge_lookup.hpp"
#include "agent/flow/parts/query_vectors.hpp"
#include "agent/talk/degradation.hpp"
#include "base/json/text.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::string_view search_step = "search";

knowledge_reader reader_of(node_run& run) {
    auto const& heard = run.started_by().heard;
    auto const& is_owner = run.services().is_owner;
    return {run.started_by().flow, heard && is_owner && is_owner(heard->from.bot, heard->user)};
}

// {"results": [[…] of each item]}, and {"without_meaning"} where the words alone were searched.
base::awaitable<queue::step_value> search_all_items(
    node_run& run, std::vector<json::object> const& parameters
) {
    json::array lists;
    json::object record;
    std::size_t bytes = 0;
    for (auto const& values : parameters) {
        auto question = knowledge_question_from(values);
        question.text = data_text(values, "query");
        auto vectors = vectors_for(run, std::string(search_step));
        auto answer = co_await look_up_knowledge(
            run.services(), reader_of(run), std::move(question), std::move(vectors)
        );
        if (!answer) co_return answer.error();
        if (answer->without_meaning)
            record["without_meaning"] = base::to_string(answer->without_meaning->code);
        auto list = cited(answer->results);
        bytes += base::json_text(list).size();
        if (bytes > most_read_bytes)
            co_return base::error(
                base::errc::too_large, "the results are more than 1 MiB together"
            );
        lists.push_back(std::move(list));
    }
    record["results"] = std::move(lists);
    co_return json::value(std::move(record));
}

base::awaitable<base::result<outputs>> search_knowledge(node_run& run) {
    auto const parameters = co_await parameters_of_items(run);
    if (!parameters) co_return parameters.error();
    auto const work = [&] { return search_all_items(run, *parameters); };
    auto const record = co_await run.steps().try_step(search_step, data_tries(run), work);
    if (!record) co_return record.error();
    if (record->as_object().contains("without_meaning"))
        run.degrade(degradation_of(degraded_by::knowledge_degraded));
    outputs output;
    auto const& lists = record->at("results").as_array();
    for (std::size_t item = 0; item < run.input().size(); ++item)
        output["main"].push_back(
            {with_field(run.input()[item], data_text((*parameters)[item], "field"), lists.at(item))}
        );
    co_return output;
}

} // namespace

behaviour knowledge_search_behaviour() {
    return durable{search_knowledge};
}

} // namespace postrider::agent::flow
