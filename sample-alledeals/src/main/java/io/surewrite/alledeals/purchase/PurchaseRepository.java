package io.surewrite.alledeals.purchase;

import java.util.UUID;
import org.springframework.data.repository.Repository;

/** Purchases. They are read and written by their steps alone. */
interface PurchaseRepository extends Repository<Purchase, UUID>, PurchaseSteps {}
