package io.surewrite.internal.cql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;

/** Takes the statements of the corpus, and changes, drops, doubles, swaps and adds tokens at random. */
final class StatementMutator {

    private final Random random;
    private final List<List<Piece>> statements = new ArrayList<>();
    private final List<Piece> pool = new ArrayList<>();

    private record Piece(CqlToken.Kind kind, String text) {}

    StatementMutator(Random random) {
        this.random = random;
        for (Corpus.Entry entry : Corpus.entries()) {
            List<Piece> pieces = StatementReader.tokenize(entry.cql()).stream()
                    .map(token -> new Piece(token.kind(), entry.cql().substring(token.start(), token.end())))
                    .toList();
            String first = pieces.get(0).text().toLowerCase(Locale.ROOT);
            if (List.of("insert", "update", "delete", "begin").contains(first)) {
                statements.add(pieces);
                pool.addAll(pieces);
            }
        }
    }

    String next() {
        List<Piece> pieces = new ArrayList<>(statements.get(random.nextInt(statements.size())));
        for (int changes = random.nextInt(10); changes > 6 || changes == 0; changes--) {
            change(pieces);
        }
        change(pieces);
        return pieces.stream().map(Piece::text).collect(Collectors.joining(" "));
    }

    /** The first token stays, so that only rows are written. */
    private void change(List<Piece> pieces) {
        int at = 1 + random.nextInt(pieces.size() - 1);
        switch (random.nextInt(8)) {
            case 0 -> pieces.add(at, any());
            case 1 -> pieces.add(at, pieces.get(at));
            case 2 -> Collections.swap(pieces, at, Math.max(1, at - 1));
            case 3 -> pieces.set(at, any());
            case 4 -> {
                if (pieces.size() > 2) {
                    pieces.remove(at);
                }
            }
            default -> pieces.set(at, anyLike(pieces.get(at)));
        }
    }

    private Piece any() {
        return pool.get(random.nextInt(pool.size()));
    }

    private Piece anyLike(Piece model) {
        Piece found = any();
        while (found.kind() != model.kind()) {
            found = any();
        }
        return found;
    }
}
