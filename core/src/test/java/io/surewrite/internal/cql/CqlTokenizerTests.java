package io.surewrite.internal.cql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CqlTokenizerTests {

    @ParameterizedTest
    @ValueSource(strings = {"'a :#{ b' , now(), '}'", "$$?#{$$", "\":${\"", "-- ?#{ \n a", "/* :#{ */ a"})
    void refusesPlaceholdersThatSpringDataSeesAndCassandraDoesNot(String text) {
        assertThat(new CqlTokenizer(text).misread).isNotNull();
    }
}
