package io.surewrite.unique;

/** A run of the simulation, by its seed. */
interface UniqueRun {

    /**
     * Runs it.
     *
     * @throws io.surewrite.simulation.Violation if an obligation does not hold
     */
    UniqueLedger run();

    String history();
}
