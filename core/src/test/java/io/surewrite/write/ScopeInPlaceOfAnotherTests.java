package io.surewrite.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScopeInPlaceOfAnotherTests {

    @Test
    void replacesTheTimestampOfTheScopeAroundItAndGivesItBack() {
        try (WriteScope.Opened outer = WriteScope.at(10).open()) {
            assertThat(outer).isNotNull();
            try (WriteScope.Opened inner = WriteScope.at(20).openInstead()) {
                assertThat(inner).isNotNull();
                assertThat(WriteScope.current()).isEqualTo(WriteScope.at(20));
            }
            assertThat(WriteScope.current()).isEqualTo(WriteScope.at(10));
        }
        assertThat(WriteScope.current()).isNull();
    }
}
