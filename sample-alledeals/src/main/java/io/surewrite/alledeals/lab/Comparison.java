package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.lab.Experiment.Verdict;

/**
 * Both sides of an experiment, done.
 *
 * @param experiment what was done
 * @param seed what decided which message suffers what
 * @param plain as Spring's guides write it
 * @param sure with Surewrite
 */
record Comparison(Experiment experiment, long seed, Side plain, Side sure) {

    /**
     * One of the two.
     *
     * @param verdict what came of it
     * @param timeline what happened meanwhile
     */
    record Side(Verdict verdict, Timeline timeline) {}
}
