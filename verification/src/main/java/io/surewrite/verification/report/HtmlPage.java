package io.surewrite.verification.report;

import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/** The report as one HTML file, pictures included. */
final class HtmlPage {

    private static final String BEGIN = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>Surewrite: performance</title>
            <style>
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
            table { border-collapse: collapse; margin: 1rem 0; }
            th, td { border-bottom: 1px solid #ccc; padding: .2rem .8rem .2rem 0; text-align: left; }
            tr.missed { background: #fde8e8; }
            img { max-width: 100%; }
            </style>
            </head>
            <body>
            """;
    private static final Pattern CODE = Pattern.compile("`([^`]*)`");
    private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");

    private HtmlPage() {}

    static String of(List<Section> sections) {
        StringBuilder page = new StringBuilder(BEGIN);
        for (Section section : sections) {
            String heading = page.length() == BEGIN.length() ? "h1" : "h2";
            page.append("<%1$s>%2$s</%1$s>%n<ul>%n".formatted(heading, text(section.title())));
            section.lines().forEach(line -> page.append("<li>%s</li>%n".formatted(text(line))));
            page.append("</ul>\n");
            if (!section.rows().isEmpty()) {
                page.append("<table>\n");
                add(page, "th", section.head());
                section.rows().forEach(row -> add(page, "td", row));
                page.append("</table>\n");
            }
            for (byte[] picture : section.pictures()) {
                page.append("<p><img alt=\"%s\" src=\"data:image/png;base64,%s\"></p>%n"
                        .formatted(text(section.title()), Base64.getEncoder().encodeToString(picture)));
            }
        }
        return page.append("</body>\n</html>\n").toString();
    }

    private static void add(StringBuilder page, String element, List<String> cells) {
        boolean missed = cells.stream().anyMatch(cell -> cell.endsWith(", missed"));
        page.append(missed ? "<tr class=\"missed\">" : "<tr>");
        cells.forEach(cell -> page.append("<%1$s>%2$s</%1$s>".formatted(element, text(cell))));
        page.append("</tr>\n");
    }

    /** Text with the little Markdown that the report has; the pages it links to are not beside this one. */
    private static String text(String markdown) {
        String escaped = markdown.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
        return LINK.matcher(CODE.matcher(escaped).replaceAll("<code>$1</code>")).replaceAll("$1");
    }
}
