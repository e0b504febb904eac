#pragma once
// The images that an agent's question came with, as models are shown them.
//
// Guarantees that each is loaded once in a run of the job, when the first model that can see is asked,
// and that a model is told of what it is not shown. Nothing of them is recorded: a reply that stands in
// the record needs none. Private to the agent node.
#include "agent/flow/node_run.hpp"
#include "agent/image.hpp"

namespace postrider::agent::flow {

class question_images {
public:
    // The run outlives it.
    question_images(node_run& run, std::vector<image_source> sources)
        : run_(run),
          sources_(std::move(sources)) {}

    bool empty() const noexcept { return sources_.empty(); }
    // Adds them to the request's message at that place, where the model can see.
    base::awaitable<void> show(chat_request& request, std::size_t question, bool can_see);

private:
    base::awaitable<base::result<shown_image>> load(image_source const& source);
    base::awaitable<base::result<std::string>> bytes_of(image_source const& source);

    node_run& run_;
    std::vector<image_source> sources_;
    std::optional<std::vector<shown_image>> loaded_;
};

} // namespace postrider::agent::flow
