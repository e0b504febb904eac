#include "base/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace postrider::base {

namespace {

// Code and constants are never written, so every page of them can be had from the file again. Data
// that relocation has changed could not: it stands in writable segments.
bool is_never_written(ElfW(Phdr) const& segment) {
    return segment.p_type == PT_LOAD && !(segment.p_flags & PF_W);
}

int give_back_file_pages(dl_phdr_info* object, std::size_t, void*) {
    auto const page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    for (int n = 0; n < object->dlpi_phnum; ++n) {
        auto const& segment = object->dlpi_phdr[n];
        if (!is_never_written(segment)) continue;
        auto const begin = (object->dlpi_addr + segment.p_vaddr) & ~(page - 1);
        auto const end = object->dlpi_addr + segment.p_vaddr + segment.p_memsz;
        // Where the kernel refuses (its own code, say), the pages simply stay.
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the linker tells addresses as numbers
        (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
    }
    return 0;
}

} // namespace

void give_back_start_memory() {
    malloc_trim(0);
    dl_iterate_phdr(give_back_file_pages, nullptr);
}

void free_heap::give_back_if_grown() {
    constexpr long enough = 256; // pages
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    if (used.ru_minflt - faults_ < enough) return;
    malloc_trim(0);
    faults_ = used.ru_minflt;
}

awaitable<void> keep_heap_small() {
    for (free_heap heap;; heap.give_back_if_grown()) co_await sleep_for(std::chrono::seconds{1});
}

} // namespace postrider::base
