#pragma once
// Private to agent/models: the memory of a request's body while it is a tree. Nothing of the tree
// outlives the text that is made of it, so that its hundreds of parts need no blocks of their own.
// Declared before the tree; whatever goes into the tree is made in storage(), or it is copied.
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/storage_ptr.hpp>

#include <array>

namespace postrider::agent::wire {

class body_memory {
public:
    body_memory() = default;
    body_memory(body_memory const&) = delete;
    body_memory& operator=(body_memory const&) = delete;

    boost::json::storage_ptr storage() noexcept { return &all_; }

private:
    std::array<unsigned char, 16 << 10> first_; // a usual conversation needs no more
    boost::json::monotonic_resource all_{first_.data(), first_.size()};
};

} // namespace postrider::agent::wire
