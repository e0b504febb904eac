#include "agent/knowledge/reading/document_reader.hpp"
#include "agent/knowledge/reading/failures.hpp"
#include "agent/knowledge/reading/paragraphs.hpp"
#include "agent/knowledge/reading/text_encoding.hpp"
#include "agent/mcp/run_program.hpp"

namespace postrider::agent::knowledge::registered {

namespace {

using base::errc;

constexpr std::uint64_t most_pdf_memory = 768u << 20; // bytes that the program may write to
constexpr std::uint64_t most_pdf_addresses = 8ull << 30;
constexpr std::uint64_t most_pdf_stack = 8u << 20;

// Some programs write bytes before it. A text may speak of it.
bool is_pdf(std::string_view bytes) {
    auto const at = bytes.substr(0, 1024).find("%PDF-");
    return at == 0 || (at != bytes.npos && !looks_like_text(bytes));
}

mcp::program_run conversion_of(
    std::string bytes, reading_limits const& limits, std::string program
) {
    auto const seconds = std::chrono::ceil<std::chrono::seconds>(limits.time);
    mcp::program_run run{.most_output = limits.text_bytes, .deadline = limits.time};
    run.command.program = std::move(program);
    // In the order of reading, a form feed behind each page; from its input to its output.
    run.command.arguments = {"-enc", "UTF-8", "-eol", "unix", "-", "-"};
    run.command.limits = {
        .address_space = most_pdf_addresses,
        .open_files = 64,
        .cpu_seconds = static_cast<std::uint64_t>(seconds.count()) + 1,
        .data = most_pdf_memory,
        .stack = most_pdf_stack};
    run.command.is_confined = true;
    run.input = std::move(bytes);
    return run;
}

base::error failure_to_run(base::error const& failure) {
    switch (failure.code) {
    case errc::timeout:
        return document_too_slow();
    case errc::too_large:
        return document_too_large("its text is too long");
    case errc::refused:
    case errc::unavailable:
        return document_tool_missing(failure.detail);
    default:
        return failure;
    }
}

base::error failure_of_program(mcp::program_output const& ran) {
    if (ran.errors.find("Incorrect password") != ran.errors.npos ||
        ran.errors.find("Copying of text") != ran.errors.npos)
        return encrypted_document();
    // By a limit on the processor's time.
    if (ran.ending == "signal 24") return document_too_slow();
    if (ran.ending.starts_with("signal")) return broken_document("its reader failed");
    return broken_document("it is no PDF that can be read");
}

base::awaitable<base::result<std::string>> convert_pdf(
    std::string bytes, reading_limits limits, std::string program
) {
    auto run = conversion_of(std::move(bytes), limits, std::move(program));
    auto ran = co_await mcp::run_program(std::move(run));
    if (!ran) co_return failure_to_run(ran.error());
    if (ran->ending != "exit code 0") co_return failure_of_program(*ran);
    co_return std::move(ran->output);
}

base::result<document_text> read_pages(document_file file, reading_budget& budget) {
    section_writer writer(budget.limits());
    std::string_view rest(file.bytes);
    for (int page = 1; !rest.empty(); ++page) {
        if (auto const time = budget.check(); !time) return time.error();
        auto const end = rest.find('\f');
        writer.set_page(page);
        write_paragraphs(writer, rest.substr(0, end));
        if (writer.is_full()) return writer.error();
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    }
    return writer.finish();
}

} // namespace

extern document_reader const pdf;
document_reader const pdf{
    .name = "PDF",
    .media_types = {"application/pdf", "application/x-pdf"},
    .endings = {".pdf"},
    .has_signature = is_pdf,
    .read = read_pages,
    .convert = convert_pdf};

} // namespace postrider::agent::knowledge::registered
