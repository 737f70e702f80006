package io.surewrite.unique;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Knows a table's constraints, and no rows. */
class ConstraintsOnly implements ConstrainedRows {

    final SimShape shape;

    ConstraintsOnly(SimShape shape) {
        this.shape = shape;
    }

    @Override
    public List<UniqueConstraint> constraints() {
        return shape.constraints();
    }

    @Override
    public boolean isNaturalKey(UniqueConstraint constraint) {
        return constraint.name().equals("natural");
    }

    @Override
    public String rowClaim() {
        return "row";
    }

    @Override
    public boolean mayMix() {
        return shape.mayMix();
    }

    @Override
    public CompletionStage<RowSnapshot> read(String owner) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Void> delete(String owner, long timestamp) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Void> restore(RowSnapshot row, long timestamp) {
        throw new UnsupportedOperationException();
    }
}
