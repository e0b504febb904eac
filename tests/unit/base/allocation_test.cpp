// The program's operator new: whatever was kept of a freed block serves what is asked for next.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <malloc.h>
#include <new>

// clang declares it for code only where it is asked to.
void operator delete(void* block, std::size_t size) noexcept;

namespace postrider::base::allocation_test {
namespace {

// Around the ends of its classes of sizes.
constexpr std::size_t sizes[] = {0,    1,    31,   32,   33,   991,  992,  993,  1023,
                                 1024, 1025, 1055, 1056, 1279, 1280, 1281, 1536, 7935,
                                 7936, 7937, 8191, 8192, 8193, 8447, 8448, 8449, 100000};

void release(void* block, std::size_t size, bool tells_size) {
    if (tells_size)
        ::operator delete(block, size);
    else
        ::operator delete(block);
}

TEST(allocation, gives_blocks_that_hold_what_was_asked_for) {
    for (bool const tells_size : {true, false})
        for (auto const freed : sizes)
            for (auto const asked : sizes) {
                release(::operator new(freed), freed, tells_size);
                auto* const block = ::operator new(asked);
                EXPECT_GE(malloc_usable_size(block), asked) << "behind one of " << freed;
                EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignof(std::max_align_t), 0u);
                std::memset(block, 1, asked);
                release(block, asked, !tells_size);
            }
}

} // namespace
} // namespace postrider::base::allocation_test
