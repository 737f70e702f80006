package io.surewrite.internal.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.internal.cql.CqlToken.Kind;
import java.util.List;
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
                "P1                                      | WORD        | P1",
                "\"Quoted \"\"name\"\"\"                 | QUOTED_NAME | Quoted \"name\"",
                "'it''s'                                 | STRING      | it's",
                "$$a 'b' $ c$$                           | STRING      | a 'b' $ c",
                "1.5e-3                                  | NUMBER      | 1.5e-3",
                "550e8400-e29b-41d4-a716-446655440000    | LITERAL     | 550e8400-e29b-41d4-a716-446655440000",
                "0X                                      | LITERAL     | 0X",
                "2mo5MS                                  | LITERAL     | 2mo5MS",
                "P1Y2M3DT4H5M6S                          | LITERAL     | P1Y2M3DT4H5M6S",
                "P0001-02-03T04:05:06                    | LITERAL     | P0001-02-03T04:05:06",
                "?0                                      | MARKER      | ?0",
                ":name                                   | MARKER      | :name",
                ":#{#user.name}                          | MARKER      | :#{#user.name}",
                "?#{[0].address.street}                  | MARKER      | ?#{[0].address.street}",
                ":#{T(java.util.UUID).randomUUID()}      | EXPRESSION  | :#{T(java.util.UUID).randomUUID()}",
                ":#{ {1, 2} }                            | EXPRESSION  | :#{ {1, 2} }",
                "?${random.uuid}                         | EXPRESSION  | ?${random.uuid}",
                "+=                                      | SYMBOL      | +="
            })
    void cutsOneToken(String text, Kind kind, String content) {
        List<CqlToken> tokens = StatementReader.tokenize(text);

        assertThat(tokens).hasSize(2);
        assertThat(tokens.get(0)).isEqualTo(new CqlToken(kind, content, 0, text.length()));
        assertThat(tokens.get(1).kind()).isEqualTo(Kind.END);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'unterminated",
                "\"unterminated",
                "$single$",
                "/* unterminated *",
                ":#{unterminated",
                "12ab",
                "0xCAFEgh",
                "_underscore",
                "é",
                "a\u00a0b",
                "#",
                "a\\b",
                "a | b",
                "\u0000"
            })
    void refusesWhatIsNoCql(String text) {
        assertThatThrownBy(() -> StatementReader.tokenize(text)).isInstanceOf(TokenReader.RefusedException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"'a :#{ b' , now(), '}'", "$$?#{$$", "\":${\"", "-- ?#{ \n a", "/* :#{ */ a"})
    void refusesPlaceholdersThatSpringDataSeesAndCassandraDoesNot(String text) {
        assertThatThrownBy(() -> StatementReader.tokenize(text)).isInstanceOf(TokenReader.RefusedException.class);
    }
}
