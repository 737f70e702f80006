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
        public void stop() {
            throw new IllegalStateException("Only the shop's own embedded database can be stopped here");
        }

        @Override
        public void start() {
            // It runs.
        }
    };

    /** {@return whether it can be stopped} */
    boolean canStop();

    /** From now on it answers nothing. */
    void stop();

    /** It answers again; does nothing if it does already. */
    void start();
}
