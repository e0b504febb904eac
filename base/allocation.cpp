// The program's operator new: malloc behind a cache per thread. glibc's own keeps seven free blocks
// of a size and none beyond 1 KiB, while every turn takes and gives back hundreds of blocks, among
// them coroutine frames of several KiB: a quarter of the process' instructions went there. What a
// thread keeps is bounded. Not built with sanitizers, which bring an operator new of their own.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

// Sizes of blocks: a class is the greatest one that its blocks serve. They are close together where
// most blocks are, and wider above, or a thread would keep a few of every size of text there is.
constexpr std::size_t small_step = 32, small_limit = 1024;
constexpr std::size_t large_step = 256, large_limit = 8192;
constexpr std::size_t small_classes = small_limit / small_step;
constexpr std::size_t classes = small_classes + (large_limit - small_limit) / large_step + 1;
constexpr std::size_t kept_per_class = 16384; // bytes

constexpr std::size_t size_of(std::size_t index) {
    return index <= small_classes ? index * small_step
                                  : small_limit + (index - small_classes) * large_step;
}

// The class that serves a size.
constexpr std::size_t class_for(std::size_t size) {
    return size <= small_limit ? (size + small_step - 1) / small_step
                               : small_classes + (size - small_limit + large_step - 1) / large_step;
}

// The greatest class that a block of this size serves.
constexpr std::size_t class_within(std::size_t size) {
    return size < small_limit + large_step ? std::min(size, small_limit) / small_step
                                           : small_classes + (size - small_limit) / large_step;
}

struct free_block {
    free_block* next;
};

struct block_cache {
    free_block* first[classes];
    std::uint16_t room[classes]; // in this list, once `started`
    bool started;
    bool ended; // the thread is about to
};

constinit thread_local block_cache cache{};

// Gives back what the thread has kept, at its end.
struct thread_end {
    thread_end() {
        for (std::size_t n = 1; n < classes; ++n)
            cache.room[n] = static_cast<std::uint16_t>(kept_per_class / size_of(n));
        cache.started = true;
    }
    ~thread_end() {
        cache.ended = true;
        for (auto& list : cache.first) {
            while (list) {
                auto* const next = list->next;
                std::free(list);
                list = next;
            }
        }
    }
};

void begin() {
    thread_local thread_end const end;
    (void)end;
}

void* allocate(std::size_t size) {
    while (true) {
        if (void* block = std::malloc(size)) return block;
        auto const handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

void give_back(void* block, std::size_t index) {
    if (index == 0 || index >= classes || cache.ended) return std::free(block);
    if (!cache.started) begin();
    if (cache.room[index] == 0) return std::free(block);
    --cache.room[index];
    cache.first[index] = new (block) free_block{cache.first[index]};
}

} // namespace

void* operator new(std::size_t size) {
    auto const index = class_for(size);
    if (index >= classes || size == 0) return allocate(size == 0 ? 1 : size);
    if (auto* const block = cache.first[index]) {
        cache.first[index] = block->next;
        ++cache.room[index];
        return block;
    }
    return allocate(size_of(index));
}

void operator delete(void* block) noexcept {
    if (block) give_back(block, class_within(malloc_usable_size(block)));
}

// Most callers know the size; the block's own record of it is often no longer in a processor cache.
void operator delete(void* block, std::size_t size) noexcept {
    if (block) give_back(block, class_for(size));
}
