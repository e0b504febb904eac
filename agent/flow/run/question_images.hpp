#pragma once
// The images that an agent's question came with, as models are shown them.
//
// Guarantees that each is loaded once in a run of the job, when the first model that can see is asked, all
// of them within a time, and that a model is told of what it is not shown. Nothing of them is recorded: a reply that
// stands in the record needs none. Private to the agent node.
#include "agent/flow/node_run.hpp"
#include "agent/models/model.hpp"
#include "agent/talk/image.hpp"

#include <chrono>
#include <optional>

namespace postrider::agent::flow {

// Those of the message that is answered, where the item is still its trigger's.
std::vector<image_source> images_of(node_run const& run, item const& input);

class question_images {
public:
    // The run outlives it.
    question_images(node_run& run, std::vector<image_source> sources);

    bool empty() const noexcept { return images_.empty(); }
    // What was not asked for yet; what fails for a moment is asked for once more.
    base::awaitable<void> load(std::chrono::milliseconds longest);
    // Adds those that are there to the request's message at that place, where the model can see.
    // Returns how many the model does not see.
    std::size_t show(chat_request& request, std::size_t question, bool can_see) const;

private:
    struct attached_image {
        image_source source;
        std::optional<shown_image> loaded = {};
        bool is_missing = false; // for the rest of the run
    };
    base::awaitable<base::result<void>> load_all();
    base::awaitable<base::result<std::string>> bytes_of(image_source const& source);
    base::result<void> take(attached_image& image, std::string const& bytes);
    void give_up(attached_image& image, base::error const& failure);

    node_run& run_;
    std::vector<attached_image> images_;
    std::size_t loaded_bytes_ = 0;
};

} // namespace postrider::agent::flow
