package io.surewrite.internal.cql;

import io.surewrite.internal.cql.CqlToken.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a text that creates a table says of it: the type of each column, and {@code ((a, b), c)}, as they are written. */
public record TableText(Map<String, String> columns, String primaryKey) {

    public static TableText of(String ddl) {
        List<CqlToken> tokens = new CqlTokenizer(ddl).tokens;
        Map<String, String> columns = new LinkedHashMap<>();
        String primaryKey = "";
        int depth = 0;
        int first = 0;
        for (int at = 0; tokens.get(at).kind() != Kind.END; at++) {
            CqlToken token = tokens.get(at);
            if (depth == 1 && (token.is(",") || token.is(")"))) {
                int second = tokens.get(first).is("primary") ? first + 2 : first + 1;
                String rest = ddl.substring(
                        tokens.get(second).start(), tokens.get(at - 1).end());
                if (second == first + 1) {
                    columns.put(tokens.get(first).asIdentifier().asInternal(), rest);
                } else {
                    primaryKey = rest;
                }
                if (token.is(")")) {
                    return new TableText(columns, primaryKey);
                }
                first = at + 1;
            }
            depth += token.is("(") || token.is("<") ? 1 : 0;
            depth -= token.is(")") || token.is(">") ? 1 : 0;
            first = depth == 0 ? at + 2 : first;
        }
        throw new IllegalArgumentException("No table is described by " + ddl);
    }
}
