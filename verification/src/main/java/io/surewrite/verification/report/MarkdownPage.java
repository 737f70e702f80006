package io.surewrite.verification.report;

import java.util.List;

/** The report as Markdown. */
final class MarkdownPage {

    private MarkdownPage() {}

    static String of(List<Section> sections) {
        StringBuilder page = new StringBuilder();
        for (Section section : sections) {
            page.append(page.isEmpty() ? "# " : "\n## ").append(section.title()).append("\n\n");
            section.lines().forEach(line -> page.append("- ").append(line).append('\n'));
            if (!section.rows().isEmpty()) {
                page.append(section.lines().isEmpty() ? "" : "\n");
                add(page, section.head());
                page.append("|---".repeat(section.head().size())).append("|\n");
                section.rows().forEach(row -> add(page, row));
            }
        }
        return page.toString();
    }

    private static void add(StringBuilder page, List<String> cells) {
        cells.forEach(cell -> page.append("| ").append(cell).append(cell.isEmpty() ? "" : " "));
        page.append("|\n");
    }
}
