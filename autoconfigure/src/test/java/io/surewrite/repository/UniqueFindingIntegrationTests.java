package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnRepositories;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueBy.NullRule;
import io.surewrite.unique.UniqueFinder;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraReactiveAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.core.convert.converter.Converter;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.ReactiveCassandraTemplate;
import org.springframework.data.cassandra.core.convert.CassandraCustomConversions;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.event.AfterConvertEvent;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.convert.PropertyValueConverter;
import org.springframework.data.convert.ReadingConverter;
import org.springframework.data.convert.ValueConversionContext;
import org.springframework.data.convert.ValueConverter;
import org.springframework.data.convert.WritingConverter;

/** Rows found by values as an application has them, and values that count as none. */
class UniqueFindingIntegrationTests extends CassandraTest {

    record Email(String address) {}

    enum Grade {
        HIGH,
        LOW
    }

    @Table("person")
    record Person(
            @PrimaryKey UUID id,
            @Nullable Email email,
            @ValueConverter(Badges.class) @Nullable String badge,
            @Nullable Grade grade,
            @Nullable LocalDate born,
            @Nullable String nick) {}

    @Table("other")
    record Other(@PrimaryKey UUID id) {}

    static final class Badges implements PropertyValueConverter<String, String, ValueConversionContext<?>> {

        @Override
        public String read(String value, ValueConversionContext<?> context) {
            return value.substring(1);
        }

        @Override
        public String write(String value, ValueConversionContext<?> context) {
            return "#" + (value.equals("sealed") ? UUID.randomUUID() : value);
        }
    }

    @WritingConverter
    enum WriteEmail implements Converter<Email, String> {
        INSTANCE;

        @Override
        public String convert(Email email) {
            return email.address();
        }
    }

    @ReadingConverter
    enum ReadEmail implements Converter<String, Email> {
        INSTANCE;

        @Override
        public Email convert(String address) {
            return new Email(address);
        }
    }

    @UniqueBy(value = "email", name = "p-mail", nulls = NullRule.NO_CLAIM_IF_BLANK)
    @UniqueBy(value = "badge", name = "p-badge")
    @UniqueBy(
            value = {"grade", "born"},
            name = "p-year")
    @UniqueBy(value = "nick", name = "p-nick")
    interface Persons extends CassandraRepository<Person, UUID> {}

    @OwnRepositories
    static class Repositories {

        final List<Object> converted = new ArrayList<>();

        @Bean
        CassandraCustomConversions conversions() {
            return new CassandraCustomConversions(List.of(WriteEmail.INSTANCE, ReadEmail.INSTANCE));
        }

        @EventListener
        void converted(AfterConvertEvent<?> event) {
            converted.add(event.getSource());
        }
    }

    @BeforeAll
    static void createTables() {
        session.execute(
                "CREATE TABLE person (id uuid PRIMARY KEY, email text, badge text, grade text, born date, nick text)");
        session.execute("CREATE TABLE other (id uuid PRIMARY KEY)");
    }

    @Test
    void findsByValuesAndReturnsEntitiesAsTheApplicationHasThem() {
        ApplicationContext context = shared(List.of(), Repositories.class);
        Persons persons = context.getBean(Persons.class);
        UniqueFinder finder = context.getBean(UniqueFinder.class);
        LocalDate born = LocalDate.of(1990, 2, 3);
        Person ann = new Person(UUID.randomUUID(), new Email("a@x"), "7", Grade.HIGH, born, "ann");
        persons.insert(ann);
        Map<String, Object> key = Map.of("id", ann.id());

        assertThat(finder.findKey("p-mail", new Email("a@x"))).contains(key);
        assertThat(finder.findKey("p-mail", "a@x")).contains(key);
        assertThat(finder.findKey("p-badge", "7")).contains(key);
        assertThat(finder.findKey("p-year", Grade.HIGH, born)).contains(key);
        assertThat(finder.findKey("p-year", "HIGH", born)).contains(key);
        assertThat(finder.findKey("p-year", Grade.LOW, born)).isEmpty();

        context.getBean(Repositories.class).converted.clear();
        assertThat(finder.find("p-mail", Person.class, new Email("a@x"))).contains(ann);
        assertThat(context.getBean(Repositories.class).converted).containsExactly(ann);
        assertThat(finder.find("p-mail", Person.class, new Email("b@x"))).isEmpty();
        assertThat(finder.find("p-mail", Person.class, (Object) null)).isEmpty();
        assertThat(finder.find("p-badge", Person.class, "7")).contains(ann);
        assertThat(finder.findKey("p-badge", "#7")).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> finder.find("p-mail", Other.class, "a@x"))
                .withMessageContaining("is mapped to the table other, and the constraint is of person");
        assertThatIllegalArgumentException().isThrownBy(() -> finder.find("p-male", Person.class, "a@x"));

        // A claim whose row has another value by now leads nowhere.
        session.execute("UPDATE person SET nick = 'other' WHERE id = ?", ann.id());
        assertThat(finder.find("p-nick", Person.class, "ann")).isEmpty();
    }

    /** As a cipher with a random start does: two rows with one badge would both be written. */
    @Test
    void refusesAValueThatIsAnotherOneEachTimeItIsConverted() {
        application()
                .withConfiguration(AutoConfigurations.of(DataCassandraReactiveAutoConfiguration.class))
                .withUserConfiguration(Repositories.class)
                .run(context -> {
                    Persons persons = context.getBean(Persons.class);
                    Person sealed = new Person(UUID.randomUUID(), new Email("s@x"), "sealed", null, null, null);
                    CassandraTemplate template = context.getBean(CassandraTemplate.class);
                    for (ThrowingCallable write : List.<ThrowingCallable>of(
                            () -> persons.insert(sealed),
                            () -> persons.save(sealed),
                            () -> persons.saveAll(List.of(sealed)),
                            () -> template.insert(sealed),
                            () -> template.update(sealed),
                            () -> template.insert(Person.class).one(sealed),
                            () -> context.getBean(RowOverwrites.class).overwrite(sealed),
                            () -> context.getBean(ReactiveCassandraTemplate.class)
                                    .insert(sealed)
                                    .block())) {
                        assertThatThrownBy(write)
                                .isInstanceOf(InvalidDataAccessApiUsageException.class)
                                .hasMessageContaining("badge of Person is converted to another value each time")
                                .hasMessageContaining("Fix: ");
                    }
                    assertThat(persons.findById(sealed.id())).isEmpty();
                });
    }
}
