package io.surewrite.internal.compat;

import com.datastax.oss.driver.api.core.context.DriverContext;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What there is one of for each session. It is looked up for each statement, so without a lock, and keeps no session alive. */
public final class PerSession<T> {

    private record Of<T>(WeakReference<DriverContext> session, T value) {}

    private final Function<DriverContext, T> make;
    private volatile List<Of<T>> known = List.of();

    public PerSession(Function<DriverContext, T> make) {
        this.make = make;
    }

    public T get(DriverContext session) {
        T found = find(session);
        return found == null ? add(session) : found;
    }

    public List<T> all() {
        return known.stream().map(Of::value).toList();
    }

    private @Nullable T find(DriverContext session) {
        List<Of<T>> all = known;
        for (int i = 0; i < all.size(); i++) { // few, and no iterator is made
            if (all.get(i).session().refersTo(session)) {
                return all.get(i).value();
            }
        }
        return null;
    }

    private synchronized T add(DriverContext session) {
        T found = find(session);
        if (found != null) {
            return found;
        }
        T made = make.apply(session);
        List<Of<T>> all = new ArrayList<>(known);
        all.removeIf(each -> each.session().refersTo(null)); // the session is gone
        all.add(new Of<>(new WeakReference<>(session), made));
        known = List.copyOf(all);
        return made;
    }
}
