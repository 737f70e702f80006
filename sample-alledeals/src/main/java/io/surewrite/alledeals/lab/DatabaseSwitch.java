package io.surewrite.alledeals.lab;

/** Stops the database under the shop, and starts it again. */
public interface DatabaseSwitch {

    /** There is nothing to switch. */
    DatabaseSwitch NONE = new DatabaseSwitch() {

        @Override
        public boolean canStop() {
            return false;
        }

        @Override
        public boolean isStopped() {
            return false;
        }

        @Override
        public void stop(Object who) {
            throw new IllegalStateException("Only the shop's own embedded database can be stopped here");
        }

        @Override
        public void start(Object who) {
            // It runs.
        }
    };

    /** {@return whether it can be stopped} */
    boolean canStop();

    /** {@return whether it is stopped} */
    boolean isStopped();

    /**
     * From now on it answers nothing.
     *
     * @param who stops it, and alone can start it again
     * @throws IllegalStateException if it cannot be stopped, or another has stopped it
     */
    void stop(Object who);

    /** It answers again; does nothing if it does already, or if another has stopped it. */
    void start(Object who);
}
