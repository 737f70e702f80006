package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.cql.WriteScope;
import io.surewrite.unique.UniqueListener.Call;
import io.surewrite.unique.UniqueListener.End;
import io.surewrite.unique.UniqueListener.Fence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every listener hears everything, in the order that they were given. */
class UniqueListenersTests {

    private final List<String> heard = new ArrayList<>();
    private final UniqueListener both =
            UniqueListener.all(List.of(new Named("a"), UniqueListener.NONE, new Named("b")));

    @Test
    void tellsEveryone() {
        both.ended("insert", End.PENDING, Duration.ofMillis(5));
        both.claimed("login");
        both.duplicate("email");
        both.takenOver("login", Fence.RESTORED);
        assertThat(heard)
                .containsExactly(
                        "a: insert PENDING PT0.005S",
                        "b: insert PENDING PT0.005S",
                        "a: claimed login",
                        "b: claimed login",
                        "a: duplicate email",
                        "b: duplicate email",
                        "a: taken over login RESTORED",
                        "b: taken over login RESTORED");
    }

    @Test
    void tellsEveryoneOfACall() {
        Call call = both.begun("delete", "shop.person");
        assertThat(heard).containsExactly("a: begun delete shop.person", "b: begun delete shop.person");
        heard.clear();
        WriteScope.Opened step = call.stepStarted();
        assertThat(heard).containsExactly("a: step", "b: step");
        heard.clear();
        // What was opened last is closed first, as scopes of a thread must be.
        step.close();
        assertThat(heard).containsExactly("b: step closed", "a: step closed");
        heard.clear();
        call.ended(End.SUCCEEDED);
        assertThat(heard).containsExactly("a: call SUCCEEDED", "b: call SUCCEEDED");
    }

    @Test
    void makesNoCallWhereNobodyListensToIt() {
        assertThat(UniqueListener.all(List.of(UniqueListener.NONE, UniqueListener.NONE))
                        .begun("insert", null))
                .isSameAs(Call.NONE);
    }

    @Test
    void putsNothingAroundASingleOne() {
        assertThat(UniqueListener.all(List.of(UniqueListener.NONE))).isSameAs(UniqueListener.NONE);
    }

    private final class Named implements UniqueListener {

        private final String name;

        private Named(String name) {
            this.name = name;
        }

        private void hear(String what) {
            heard.add(name + ": " + what);
        }

        @Override
        public Call begun(String operation, @Nullable String table) {
            hear("begun %s %s".formatted(operation, table));
            return new Call() {
                @Override
                public void ended(End end) {
                    hear("call %s".formatted(end));
                }

                @Override
                public WriteScope.Opened stepStarted() {
                    hear("step");
                    return () -> hear("step closed");
                }
            };
        }

        @Override
        public void ended(String operation, End end, Duration took) {
            hear("%s %s %s".formatted(operation, end, took));
        }

        @Override
        public void claimed(String constraint) {
            hear("claimed %s".formatted(constraint));
        }

        @Override
        public void duplicate(String constraint) {
            hear("duplicate %s".formatted(constraint));
        }

        @Override
        public void takenOver(String constraint, Fence fence) {
            hear("taken over %s %s".formatted(constraint, fence));
        }
    }
}
