#include "agent/flow/n8n/mapping.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent::flow::n8n {

#define MAPPING(name) extern mapping const name##_mapping;
#include "agent/flow/n8n/mappings.def"
#undef MAPPING

namespace {

constexpr std::array all_mappings{
#define MAPPING(name) &name##_mapping,
#include "agent/flow/n8n/mappings.def"
#undef MAPPING
};

constexpr std::array<std::string_view, 5> code_types{
    "code", "function", "functionItem", "toolCode", "aiTransform"};

// Types of n8n's own that no service of somebody else's stands behind, mapped here or not.
constexpr std::array<std::string_view, 63> common_types{
    "aggregate",
    "chainRetrievalQa",
    "compareDatasets",
    "compression",
    "convertToFile",
    "crypto",
    "dateTime",
    "debugHelper",
    "documentBinaryInputLoader",
    "documentDefaultDataLoader",
    "documentJsonInputLoader",
    "editImage",
    "emailReadImap",
    "emailSend",
    "errorTrigger",
    "evaluation",
    "evaluationTrigger",
    "executeCommand",
    "executionData",
    "extractFromFile",
    "filter",
    "form",
    "formTrigger",
    "ftp",
    "guardrails",
    "html",
    "htmlExtract",
    "httpRequest",
    "informationExtractor",
    "itemLists",
    "jwt",
    "limit",
    "localFileTrigger",
    "markdown",
    "mcpTrigger",
    "memoryManager",
    "merge",
    "moveBinaryData",
    "n8nTrigger",
    "outputParserAutofixing",
    "outputParserItemList",
    "outputParserStructured",
    "readBinaryFile",
    "readBinaryFiles",
    "readPDF",
    "readWriteFile",
    "removeDuplicates",
    "retrieverWorkflow",
    "rssFeedRead",
    "rssFeedReadTrigger",
    "sentimentAnalysis",
    "sort",
    "splitInBatches",
    "splitOut",
    "spreadsheetFile",
    "sseTrigger",
    "ssh",
    "textClassifier",
    "textSplitterCharacterTextSplitter",
    "textSplitterRecursiveCharacterTextSplitter",
    "textSplitterTokenSplitter",
    "toolThink",
    "writeBinaryFile",
};

} // namespace

std::span<mapping const* const> mappings() noexcept {
    return all_mappings;
}

mapping const* find_mapping(std::string_view short_type) noexcept {
    for (auto const* mapping : all_mappings)
        if (std::ranges::find(mapping->types, short_type) != mapping->types.end()) return mapping;
    return nullptr;
}

node_class class_of(workflow_node const& node) noexcept {
    auto const type = node.short_type();
    if (node.is_note()) return node_class::note;
    if (std::ranges::find(code_types, type) != code_types.end()) return node_class::code;
    auto const* mapping = find_mapping(type);
    bool const common =
        mapping ? !mapping->is_vendor : std::ranges::find(common_types, type) != common_types.end();
    return common ? node_class::common : node_class::vendor;
}

} // namespace postrider::agent::flow::n8n
