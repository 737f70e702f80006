package io.surewrite.repository;

import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.WithLease;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.StringUtils;

/** How a {@link WithLease} method names its lease: always alike, or by an expression over each call. */
record LeaseKey(Method method, Expression expression) {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    record Root(@Nullable Object target) {

        public @Nullable Object getTarget() {
            return target;
        }
    }

    static LeaseKey of(WithLease annotation, Method method, UnaryOperator<@Nullable String> placeholders) {
        boolean fixed = StringUtils.hasText(annotation.value());
        if (fixed == StringUtils.hasText(annotation.key())) {
            throw new IllegalArgumentException(
                    fixed
                            ? "it has a name and a key. Fix: keep the name if it is always the same, and otherwise the key"
                            : "it names no lease. Fix: write @WithLease(\"nightly\") for a name that is always the same, or"
                                    + " @WithLease(key = \"'item:' + #id\") for one that follows from the arguments");
        }
        return fixed ? named(annotation.value(), method, placeholders) : computed(annotation.key(), method);
    }

    private static LeaseKey named(String name, Method method, UnaryOperator<@Nullable String> placeholders) {
        if (name.startsWith("#") || name.startsWith("'")) {
            throw new IllegalArgumentException(
                    "the name \"%1$s\" reads as an expression. Fix: write @WithLease(key = \"%1$s\")".formatted(name));
        }
        LeaseRequest checked = LeaseRequest.of(String.valueOf(placeholders.apply(name)));
        return new LeaseKey(method, new LiteralExpression(checked.name()));
    }

    private static LeaseKey computed(String text, Method method) {
        SpelExpression expression;
        try {
            expression = PARSER.parseRaw(text);
        } catch (ParseException wrong) {
            throw new IllegalArgumentException(wrong.getMessage(), wrong);
        }
        Check check = new Check(method, text);
        check.look(expression.getAST());
        LeaseKey key = new LeaseKey(method, expression);
        if (!check.seesTheCall) {
            var unused = key.of(null, new Object[method.getParameterCount()]);
        }
        return key;
    }

    String of(@Nullable Object target, @Nullable Object[] arguments) {
        try {
            return LeaseRequest.textOf(
                    expression.getValue(new MethodBasedEvaluationContext(new Root(target), method, arguments, NAMES)));
        } catch (EvaluationException | IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "The key \"%s\" of @WithLease on %s: %s"
                            .formatted(expression.getExpressionString(), method, wrong.getMessage()),
                    wrong);
        }
    }

    /** Looks for names that no call has: the expression would fail each time, and a scheduled job would never run. */
    private static final class Check {

        private static final Set<String> OF_EVERY_CALL = Set.of("#root", "#this", "target");

        private final String text;
        private final Set<String> arguments = new TreeSet<>();
        private final int parameters;
        private boolean seesTheCall;

        Check(Method method, String text) {
            this.text = text;
            this.parameters = method.getParameterCount();
            @Nullable String @Nullable [] names = NAMES.getParameterNames(method);
            if (names != null) {
                Arrays.stream(names).map("#"::concat).forEach(arguments::add);
            }
        }

        void look(SpelNode node) {
            if (node instanceof PropertyOrFieldReference || node instanceof VariableReference) {
                requireOfTheCall(node.toStringAST());
                seesTheCall = true;
            } else if (node instanceof MethodReference
                    || node instanceof FunctionReference
                    || node instanceof BeanReference) {
                throw wrong(node.toStringAST());
            } else if (node instanceof CompoundExpression) {
                look(node.getChild(0));
                for (int i = 1; i < node.getChildCount(); i++) {
                    // What stands behind a dot is of the value before it, but its arguments are of the call.
                    if (node.getChild(i) instanceof MethodReference called) {
                        lookAtChildren(called);
                    }
                }
            } else if (!seesOthers(node)) {
                lookAtChildren(node);
            }
        }

        private void lookAtChildren(SpelNode node) {
            for (int i = 0; i < node.getChildCount(); i++) {
                look(node.getChild(i));
            }
        }

        /** Inside of these a name is one of an element, or a key. */
        private static boolean seesOthers(SpelNode node) {
            return node instanceof Selection
                    || node instanceof Projection
                    || node instanceof Indexer
                    || node instanceof InlineMap;
        }

        private void requireOfTheCall(String name) {
            boolean isPosition = name.matches("#[ap]\\d{1,3}") && Integer.parseInt(name.substring(2)) < parameters;
            if (!isPosition && !OF_EVERY_CALL.contains(name) && !arguments.contains(name)) {
                throw wrong(name);
            }
        }

        private IllegalArgumentException wrong(String name) {
            return new IllegalArgumentException(
                    ("the key \"%s\" has '%s', which no call has: there are #root.target and the arguments %s. Fix: write"
                                    + " @WithLease(\"%1$s\") if the name is always the same. If names of arguments are"
                                    + " missing here, write #a0 for the first, or compile with -parameters")
                            .formatted(text, name, arguments));
        }
    }
}
