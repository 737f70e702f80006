package io.surewrite.architecture.planted.unique;

/** Hands out what no user may name. */
public interface ApiThatKnowsItsEngine {

    Engine engineOfIt();
}
