package io.surewrite.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.journal.AttributeJournal.EntityState;
import io.surewrite.journal.AttributeJournal.JournalEntry;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntityAttributesTests {

    enum Color {
        RED,
        GREEN
    }

    record Car(String id, int wheels, Color color, Instant built, Boolean old) {}

    public static class Person {
        private long age;

        public long getAge() {
            return age;
        }

        public void setAge(long age) {
            this.age = age;
        }
    }

    @Test
    void takesARecordApartAndPutsItTogether() {
        Car car = new Car("c1", 4, Color.GREEN, Instant.ofEpochSecond(1), null);

        Map<String, Object> attributes = EntityAttributes.of(car, "id");

        assertThat(attributes).containsOnlyKeys("wheels", "color", "built", "old");
        assertThat(EntityAttributes.to(Car.class, state(attributes), Map.of("id", "c1")))
                .isEqualTo(car);
    }

    record Measures(int count, Long total, double ratio, Float share, BigInteger large) {}

    @Test
    void keepsNumbersThatFitTheirProperties() {
        Measures measures = new Measures(3, 4_000_000_000L, 0.1, 0.1f, BigInteger.TWO.pow(100));

        assertThat(EntityAttributes.to(Measures.class, state(EntityAttributes.of(measures)), Map.of()))
                .isEqualTo(measures);
    }

    @ParameterizedTest
    @CsvSource({
        "count, 3.7",
        "count, 3000000000",
        "total, 0.5",
        "ratio, 0.1234567890123456789",
        "ratio, 1E+400",
        "share, 0.123456789",
        "large, 1.5"
    })
    void refusesToCutANumberDownToItsProperty(String property, BigDecimal number) {
        Map<String, Object> attributes = new HashMap<>(EntityAttributes.of(new Measures(1, 1L, 1, 1f, BigInteger.ONE)));
        attributes.put(property, number);

        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(() -> EntityAttributes.to(Measures.class, state(attributes), Map.of()))
                .withMessageContaining(property);
    }

    @Test
    void refusesToCutANumberDownToTheSetterOfABean() {
        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(
                        () -> EntityAttributes.to(Person.class, state(Map.of("age", new BigDecimal("3.7"))), Map.of()))
                .withMessageContaining("age");
    }

    private static EntityState state(Map<String, ?> attributes) {
        Map<String, JournalEntry> entries = new HashMap<>();
        attributes.forEach((name, value) -> {
            if (value != null) {
                entries.put(name, new JournalEntry(name, AttributeValue.of(value), Instant.EPOCH));
            }
        });
        return new EntityState("e", entries);
    }
}
