package io.surewrite.journal;

import io.surewrite.journal.AttributeJournal.EntityState;
import java.beans.PropertyDescriptor;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.MutablePropertyValues;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.util.ClassUtils;
import org.springframework.util.NumberUtils;
import org.springframework.validation.DataBinder;

/** Maps the properties of beans and records to attributes of the same names, and back. */
public final class EntityAttributes {

    private EntityAttributes() {}

    /**
     * {@return the properties of a bean or a record by name, nulls included, for {@link AttributeJournal#record}}
     *
     * @param except properties to leave out, such as the id
     */
    public static Map<String, @Nullable Object> of(Object entity, String... except) {
        BeanWrapper bean = PropertyAccessorFactory.forBeanPropertyAccess(entity);
        Set<String> skipped = Set.of(except);
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(entity.getClass())) {
            String name = property.getName();
            if (property.getReadMethod() != null && !name.equals("class") && !skipped.contains(name)) {
                attributes.put(name, bean.getPropertyValue(name));
            }
        }
        return attributes;
    }

    /**
     * {@return a bean or a record made of what was recorded; properties without a value are as its constructor leaves them}
     *
     * @param more values that are not in the journal, such as the id
     * @throws JournalException if a value does not fit its property, a number that would lose digits included
     */
    @SuppressWarnings("unchecked") // the binder makes an instance of the type
    public static <T> T to(Class<T> type, EntityState state, Map<String, ?> more) {
        Map<String, @Nullable Object> values = new HashMap<>(more);
        state.attributes()
                .forEach((name, entry) -> values.put(name, entry.value().value()));
        DataBinder binder = new DataBinder(null, type.getSimpleName());
        binder.setTargetType(ResolvableType.forClass(type));
        binder.setConversionService(DefaultConversionService.getSharedInstance());
        binder.construct(new Values(values));
        if (binder.getTarget() != null && !type.isRecord()) {
            for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(type)) {
                if (property.getWriteMethod() != null) {
                    requireExact(property.getName(), values.get(property.getName()), property.getPropertyType());
                }
            }
            binder.bind(new MutablePropertyValues(values));
        }
        if (binder.getBindingResult().hasErrors()) {
            throw new JournalException("What was recorded does not fit " + type.getName() + ": "
                    + Arrays.toString(binder.getBindingResult().getFieldErrors().stream()
                            .map(error -> error.getField())
                            .toArray()));
        }
        return (T) Objects.requireNonNull(binder.getTarget());
    }

    /** Spring cuts 3.7 down to 3, also where a converter refuses to. */
    @SuppressWarnings("unchecked") // it is a class of numbers
    private static void requireExact(String name, @Nullable Object value, @Nullable Class<?> type) {
        if (!(value instanceof BigDecimal number) || type == null) {
            return;
        }
        Class<?> boxed = ClassUtils.resolvePrimitiveIfNecessary(type);
        if (Number.class.isAssignableFrom(boxed) && !isExact(number, (Class<? extends Number>) boxed)) {
            throw new JournalException(
                    "The property " + name + " is a " + type.getSimpleName() + " and cannot hold " + number + ".");
        }
    }

    private static boolean isExact(BigDecimal number, Class<? extends Number> type) {
        try {
            Number converted = NumberUtils.convertNumberToTargetClass(number, type);
            return new BigDecimal(converted.toString()).compareTo(number) == 0;
        } catch (IllegalArgumentException tooLarge) { // or "Infinity"
            return false;
        }
    }

    private record Values(Map<String, @Nullable Object> values) implements DataBinder.ValueResolver {

        @Override
        public @Nullable Object resolveValue(String name, Class<?> type) {
            Object value = values.get(name);
            requireExact(name, value, type);
            return value;
        }

        @Override
        public Set<String> getNames() {
            return values.keySet();
        }
    }
}
