package io.surewrite.alledeals.lab;

/** Stops the database under the shop, and starts it again; if it cannot be stopped, there is nothing to switch. */
public interface DatabaseSwitch {

    /** {@return whether it can be stopped} */
    default boolean canStop() {
        return false;
    }

    /** {@return whether it is stopped} */
    default boolean isStopped() {
        return false;
    }

    /**
     * From now on it answers nothing.
     *
     * @param who stops it, and alone can start it again
     * @throws IllegalStateException if it cannot be stopped, or another has stopped it
     */
    default void stop(Object who) {
        throw new IllegalStateException("Only the shop's own embedded database can be stopped here");
    }

    /** It answers again; does nothing if it does already, or if another has stopped it. */
    default void start(Object who) {}
}
