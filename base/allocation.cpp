// The program's operator new: malloc behind a cache per thread. glibc's own keeps seven free blocks
// of a size and none beyond 1 KiB, while every turn takes and gives back hundreds of blocks, among
// them coroutine frames of several KiB: a quarter of the process' instructions went there. What a
// thread keeps is bounded. Not built with sanitizers, which bring an operator new of their own.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

constexpr std::size_t step = 32;
constexpr std::size_t classes = 8192 / step + 1;
constexpr std::size_t kept_per_class = 16384; // bytes

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
            cache.room[n] = static_cast<std::uint16_t>(kept_per_class / (n * step));
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
    auto const index = (size + step - 1) / step;
    if (index >= classes || size == 0) return allocate(size == 0 ? 1 : size);
    if (auto* const block = cache.first[index]) {
        cache.first[index] = block->next;
        ++cache.room[index];
        return block;
    }
    return allocate(index * step);
}

void operator delete(void* block) noexcept {
    if (block) give_back(block, malloc_usable_size(block) / step);
}

// Most callers know the size; the block's own record of it is often no longer in a processor cache.
void operator delete(void* block, std::size_t size) noexcept {
    if (block) give_back(block, (size + step - 1) / step);
}
