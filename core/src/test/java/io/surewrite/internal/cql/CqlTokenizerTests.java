package io.surewrite.internal.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.internal.cql.CqlToken.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CqlTokenizerTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "word                                    | WORD        | word",
                "K3y_x                                   | WORD        | K3y_x",
                "P1                                      | WORD        | P1",
                "PT                                      | WORD        | PT",
                "deadbeef                                | WORD        | deadbeef",
                "\"Quoted \"\"name\"\"\"                 | QUOTED_NAME | Quoted \"name\"",
                "'it''s'                                 | STRING      | it's",
                "''                                      | STRING      | ``",
                "$$a 'b' $ c$$                           | STRING      | a 'b' $ c",
                "$$$$                                    | STRING      | ``",
                "12                                      | NUMBER      | 12",
                "1.5e-3                                  | NUMBER      | 1.5e-3",
                "1.                                      | NUMBER      | 1.",
                "550e8400-e29b-41d4-a716-446655440000    | LITERAL     | 550e8400-e29b-41d4-a716-446655440000",
                "F81D4FAE-7dec-11d0-a765-00a0c91e6bf6    | LITERAL     | F81D4FAE-7dec-11d0-a765-00a0c91e6bf6",
                "0xCAFE                                  | LITERAL     | 0xCAFE",
                "0X                                      | LITERAL     | 0X",
                "1h30m                                   | LITERAL     | 1h30m",
                "2mo5MS                                  | LITERAL     | 2mo5MS",
                "P1Y2M3DT4H5M6S                          | LITERAL     | P1Y2M3DT4H5M6S",
                "PT5S                                    | LITERAL     | PT5S",
                "P3W                                     | LITERAL     | P3W",
                "P0001-02-03T04:05:06                    | LITERAL     | P0001-02-03T04:05:06",
                "?                                       | MARKER      | ?",
                "?0                                      | MARKER      | ?0",
                "?12                                     | MARKER      | ?12",
                ":name                                   | MARKER      | :name",
                ":#{#user.name}                          | MARKER      | :#{#user.name}",
                "?#{[0]}                                 | MARKER      | ?#{[0]}",
                "?#{[0].address.street}                  | MARKER      | ?#{[0].address.street}",
                ":#{T(java.util.UUID).randomUUID()}      | EXPRESSION  | :#{T(java.util.UUID).randomUUID()}",
                ":#{#user.getName()}                     | EXPRESSION  | :#{#user.getName()}",
                ":#{tenant}                              | EXPRESSION  | :#{tenant}",
                ":#{ {1, 2} }                            | EXPRESSION  | :#{ {1, 2} }",
                "?${random.uuid}                         | EXPRESSION  | ?${random.uuid}",
                ":${app.id}                              | EXPRESSION  | :${app.id}",
                "+=                                      | SYMBOL      | +=",
                ">=                                      | SYMBOL      | >=",
                "{                                       | SYMBOL      | {"
            })
    void cutsOneToken(String text, Kind kind, String content) {
        List<CqlToken> tokens = StatementReader.tokenize(text);

        assertThat(tokens).hasSize(2);
        assertThat(tokens.get(0)).isEqualTo(new CqlToken(kind, content, 0, text.length()));
        assertThat(tokens.get(1).kind()).isEqualTo(Kind.END);
    }

    @Test
    void leavesBlanksAndCommentsOut() {
        String cql = "a -- now()\n b // 'x\r c /* \" $$ */ d\t-- end";

        assertThat(StatementReader.tokenize(cql))
                .extracting(CqlToken::text)
                .containsExactly("a", "b", "c", "d", "end of statement");
    }

    @Test
    void cutsWithoutBlanks() {
        assertThat(StatementReader.tokenize("l=l+[?0]"))
                .extracting(CqlToken::text)
                .containsExactly("l", "=", "l", "+", "[", "?0", "]", "end of statement");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'unterminated",
                "'unterminated''",
                "\"unterminated",
                "$$unterminated$",
                "$single$",
                "/* unterminated *",
                "/*/",
                ":#{unterminated",
                ":#{ {unterminated }",
                "12ab",
                "0xCAFEgh",
                "?abc",
                "_underscore",
                "é",
                "a\u00a0b",
                "a\fb",
                "#",
                "a\\b",
                "`a`",
                "@x",
                "a | b",
                "a & b",
                "a ~ b",
                "\u0000"
            })
    void refusesWhatIsNoCql(String text) {
        assertThatThrownBy(() -> StatementReader.tokenize(text)).isInstanceOf(StatementReader.RefusedException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"'a :#{ b' , now(), '}'", "$$?#{$$", "\":${\"", "-- ?#{ \n a", "/* :#{ */ a"})
    void refusesPlaceholdersThatSpringDataSeesAndCassandraDoesNot(String text) {
        assertThatThrownBy(() -> StatementReader.tokenize(text)).isInstanceOf(StatementReader.RefusedException.class);
    }
}
