package io.surewrite.cql;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.unique.UniqueListener;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.ReflectionUtils;

/** No listener of any kind harms the caller or the other listeners, whichever of its methods throws. */
@ExtendWith(OutputCaptureExtension.class)
class GuardedListenersTests {

    private static final Set<Class<?>> KINDS = Set.of(WriteListener.class, UniqueListener.class);

    private final List<String> heard = new ArrayList<>();

    static Stream<Class<?>> kinds() {
        return KINDS.stream();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void eachHearsEverythingWhateverTheOthersThrow(Class<?> kind) {
        for (Throwable thrown : List.of(new IllegalStateException("broken"), new StackOverflowError())) {
            heard.clear();
            Object all = composite(
                    kind,
                    List.of(
                            listener(kind, thrown, false),
                            listener(kind, thrown, true),
                            listener(kind, null, false),
                            listener(kind, thrown, false)));
            List<String> expected = callAll(kind, all);
            assertThat(heard).isNotEmpty().containsExactlyElementsOf(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aListenerAloneIsGuardedToo(Class<?> kind) {
        callAll(kind, composite(kind, List.of(listener(kind, new IllegalStateException("broken"), true))));
        callAll(kind, composite(kind, List.of()));
    }

    @Test
    void whatReturnsNothingIsLeftOut() {
        WriteListener all = WriteListener.all(List.of(listener(WriteListener.class, null, false), operation -> null));
        all.started("save").ended(WriteListener.End.SUCCEEDED, 1);
        assertThat(heard).containsExactly("started", "ended");
    }

    @Test
    void theLogGetsOneLineAMinute(CapturedOutput log) {
        GuardedListeners<Runnable> all = GuardedListeners.of(List.of(new Broken()));
        for (int i = 0; i < 100; i++) {
            all.tell(Runnable::run);
            GuardedListeners.of(List.of(new Broken())).tell(Runnable::run);
        }
        assertThat(log.getAll().split("The listener \\S*Broken failed", -1)).hasSize(2);
        assertThat(log).contains("failed 1 time(s)", "as it always does");
    }

    @Test
    void anInterruptIsKept() {
        GuardedListeners.of(List.<Callable<?>>of(() -> {
                    throw new InterruptedException();
                }))
                .tell(GuardedListenersTests::callSneakily);
        assertThat(Thread.interrupted()).isTrue();
    }

    private static void callSneakily(Callable<?> call) {
        try {
            call.call();
        } catch (Exception failure) {
            GuardedListenersTests.<RuntimeException>sneakily(failure);
        }
    }

    @SuppressWarnings("unchecked")
    private static <X extends Exception> void sneakily(Exception failure) throws X {
        throw (X) failure;
    }

    private static final class Broken implements Runnable {

        @Override
        public void run() {
            throw new IllegalStateException("as it always does");
        }
    }

    /** Kinds whose events hand out nothing have no composite: who tells them tells the guarded listeners. */
    private static Object composite(Class<?> kind, List<?> listeners) {
        Method all = ReflectionUtils.findMethod(kind, "all", List.class);
        if (all != null) {
            return ReflectionUtils.invokeMethod(all, null, listeners);
        }
        GuardedListeners<Object> guarded = GuardedListeners.of(listeners);
        return Proxy.newProxyInstance(kind.getClassLoader(), new Class<?>[] {kind}, (proxy, event, arguments) -> {
            guarded.tell(listener -> ReflectionUtils.invokeMethod(event, listener, arguments));
            return null;
        });
    }

    /**
     * A listener that throws in every method, or in none.
     *
     * @param later whether it hands out objects whose methods throw, instead of throwing when it is asked for them
     */
    private <T> T listener(Class<T> kind, @Nullable Throwable thrown, boolean later) {
        return kind.cast(Proxy.newProxyInstance(
                kind.getClassLoader(), new Class<?>[] {kind}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return method.invoke(this, arguments);
                    }
                    Class<?> answer = method.getReturnType();
                    if (thrown != null && !(later && answer.isInterface() && answer != Map.class)) {
                        throw thrown;
                    }
                    if (thrown == null) {
                        heard.add(method.getName());
                    }
                    return answer == Map.class
                            ? Map.of()
                            : answer.isInterface() ? listener(answer, thrown, later) : null;
                }));
    }

    /** Calls every method, and every method of what they return; returns their names in this order. */
    private static List<String> callAll(Class<?> kind, Object target) {
        List<String> called = new ArrayList<>();
        Arrays.stream(kind.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> !method.getName().equals("andThen"))
                .forEach(method -> {
                    Object[] arguments = Arrays.stream(method.getParameterTypes())
                            .map(GuardedListenersTests::any)
                            .toArray();
                    called.add(method.getName());
                    Object answer = ReflectionUtils.invokeMethod(method, target, arguments);
                    Class<?> returned = method.getReturnType();
                    if (returned.isInterface() && returned != Map.class && returned != kind) {
                        called.addAll(callAll(returned, answer));
                    }
                });
        return called;
    }

    private static @Nullable Object any(Class<?> type) {
        if (type == boolean.class) {
            return true;
        }
        if (type == int.class) {
            return 1;
        }
        if (type == long.class) {
            return 1L;
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        return type == String.class ? "x" : type == Duration.class ? Duration.ZERO : null;
    }
}
