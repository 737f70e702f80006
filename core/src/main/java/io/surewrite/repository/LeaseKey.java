package io.surewrite.repository;

import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.WithLease;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
        List<String> names = names(expression.getAST()).toList();
        requireOfTheCall(names, text, method);
        LeaseKey key = new LeaseKey(method, expression);
        if (names.isEmpty()) {
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

    /** With a name that no call has, the expression would fail each time, and a scheduled job would never run. */
    private static void requireOfTheCall(List<String> names, String text, Method method) {
        @Nullable String @Nullable [] parameters = NAMES.getParameterNames(method);
        Set<String> arguments = new TreeSet<>();
        Set<String> known = new HashSet<>(Set.of("#root", "#this", "target"));
        for (int i = 0; i < method.getParameterCount(); i++) {
            known.addAll(List.of("#a" + i, "#p" + i));
            if (parameters != null) {
                arguments.add("#" + parameters[i]);
            }
        }
        known.addAll(arguments);
        names.stream().filter(name -> !known.contains(name)).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException(
                    ("the key \"%s\" has '%s', which no call has: there are #root.target and the arguments %s. Fix: write"
                                    + " @WithLease(\"%1$s\") if the name is always the same. If names of arguments are"
                                    + " missing here, write #a0 for the first, or compile with -parameters")
                            .formatted(text, name, arguments));
        });
    }

    /** What an expression asks a call for. */
    private static Stream<String> names(SpelNode node) {
        if (node instanceof PropertyOrFieldReference
                || node instanceof VariableReference
                || node instanceof MethodReference
                || node instanceof FunctionReference
                || node instanceof BeanReference) {
            return Stream.of(node.toStringAST());
        }
        if (node instanceof CompoundExpression) {
            // What stands behind a dot is of the value before it, but its arguments are of the call.
            Stream<SpelNode> behind = children(node)
                    .skip(1)
                    .filter(MethodReference.class::isInstance)
                    .flatMap(LeaseKey::children);
            return Stream.concat(Stream.of(node.getChild(0)), behind).flatMap(LeaseKey::names);
        }
        boolean seesElements = node instanceof Selection
                || node instanceof Projection
                || node instanceof Indexer
                || node instanceof InlineMap; // there a name is one of an element, or a key
        return seesElements ? Stream.empty() : children(node).flatMap(LeaseKey::names);
    }

    private static Stream<SpelNode> children(SpelNode node) {
        return IntStream.range(0, node.getChildCount()).mapToObj(node::getChild);
    }
}
