package io.surewrite.alledeals.web;

import java.net.URI;
import java.util.Locale;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

/** The kinds of refusal. The {@link #uri} is the {@code type} of the problem body and stays the same for ever. */
public enum ProblemType {
    /** Some values break a rule; {@code errors} names each field and its rule. */
    INVALID_REQUEST(HttpStatus.BAD_REQUEST, "Some values are not valid"),
    /** The request could not be read: broken JSON, a malformed id. */
    MALFORMED_REQUEST(HttpStatus.BAD_REQUEST, "The request cannot be read"),
    /** No such user. */
    USER_NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such user"),
    /** Somebody else has a value that only one may have; {@code constraints} names which. */
    DUPLICATE_VALUE(HttpStatus.CONFLICT, "Somebody else has it already"),
    /** No such item. */
    ITEM_NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such item"),
    /** No such request to list an item, or it has not arrived yet. */
    REQUEST_NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such request"),
    /** The seller of a new item is not registered. */
    UNKNOWN_SELLER(HttpStatus.UNPROCESSABLE_CONTENT, "The seller is not registered"),
    /** Another item stands under this id; {@code differs} names the fields. */
    ITEM_CONFLICT(HttpStatus.CONFLICT, "A different item has this id"),
    /** No such purchase, or not any more. */
    PURCHASE_NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such purchase"),
    /** The buyer is not registered. */
    UNKNOWN_BUYER(HttpStatus.UNPROCESSABLE_CONTENT, "The buyer is not registered"),
    /** Nobody can buy so many of this. */
    INVALID_QUANTITY(HttpStatus.UNPROCESSABLE_CONTENT, "The quantity is not possible"),
    /** Not enough is left; {@code available} says how many are. */
    SOLD_OUT(HttpStatus.CONFLICT, "Sold out"),
    /** The time of the offer is over. */
    AUCTION_FINISHED(HttpStatus.CONFLICT, "The auction is finished"),
    /** Another purchase stands under this id. */
    PURCHASE_CONFLICT(HttpStatus.CONFLICT, "A different purchase has this id"),
    /** The database did not answer a read. */
    DATABASE_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The database does not answer"),
    /** The database did not confirm a write: it may be in effect or not. Repeating it is safe and settles it. */
    OUTCOME_UNKNOWN(HttpStatus.SERVICE_UNAVAILABLE, "The outcome is not known");

    private final HttpStatus status;
    private final String title;

    ProblemType(HttpStatus status, String title) {
        this.status = status;
        this.title = title;
    }

    URI uri() {
        return URI.create(
                "urn:alledeals:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    HttpStatus status() {
        return status;
    }

    ProblemDetail with(String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setType(uri());
        problem.setTitle(title);
        return problem;
    }
}
