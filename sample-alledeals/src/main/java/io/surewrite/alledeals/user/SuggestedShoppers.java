package io.surewrite.alledeals.user;

import java.util.List;
import java.util.UUID;

/** Users to choose from on the first visit. There is no list of all users, and nobody should want one. */
public interface SuggestedShoppers {

    /** Names them. */
    List<UUID> ids();
}
