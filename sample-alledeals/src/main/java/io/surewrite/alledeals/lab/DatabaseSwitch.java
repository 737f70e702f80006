package io.surewrite.alledeals.lab;

/** Stops the database under the shop, and starts it again; if it cannot be stopped, there is nothing to switch. */
interface DatabaseSwitch {

    /** {@return whether it can be stopped} */
    default boolean canStop() {
        return false;
    }

    /** From now on it answers nothing. */
    default void stop() {
        throw new IllegalStateException("Only the shop's own embedded database can be stopped here");
    }

    /** It answers again; does nothing if it does already. */
    default void start() {}
}
