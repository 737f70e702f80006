package io.surewrite.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/**
 * Who may know whom. Packages that do not exist yet break no rule.
 *
 * @param root the package above the floors
 */
record HouseRules(String root) {

    private static final List<String> FEATURES = List.of("unique", "lease", "overwrite", "retry", "journal", "backlog");

    /** Where users find what they may name; the engines are one folder below. */
    static final List<String> API = Stream.of(
                    "lease", "unique", "overwrite", "retry", "journal", "backlog", "cql", "schema", "session")
            .map(room -> "io.surewrite." + room)
            .toList();

    /** Upper floors use lower ones; only {@code actuate}, which watches the features from beside, looks up at them. */
    ArchRule floors() {
        return layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .withOptionalLayers(true)
                .layer("autoconfigure")
                .definedBy(room("autoconfigure"))
                .layer("repository")
                .definedBy(room("repository"))
                .layer("session")
                .definedBy(room("session"))
                .layer("features")
                .definedBy(rooms(FEATURES))
                .layer("actuate")
                .definedBy(room("actuate"))
                .layer("rows")
                .definedBy(room("rows"))
                .layer("schema")
                .definedBy(room("schema"))
                .layer("cql")
                .definedBy(room("cql"))
                .whereLayer("autoconfigure")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("repository")
                .mayOnlyBeAccessedByLayers("autoconfigure")
                .whereLayer("session")
                .mayOnlyBeAccessedByLayers("autoconfigure", "repository")
                .whereLayer("features")
                .mayOnlyBeAccessedByLayers("autoconfigure", "repository", "session", "actuate")
                .whereLayer("actuate")
                .mayOnlyBeAccessedByLayers("autoconfigure", "repository")
                .whereLayer("rows")
                .mayOnlyBeAccessedByLayers("repository", "features")
                .whereLayer("schema")
                .mayOnlyBeAccessedByLayers("autoconfigure", "repository", "session", "features", "actuate");
    }

    ArchRule featuresDoNotKnowEachOther() {
        List<ArchRule> rules = FEATURES.stream().map(this::knowsNoOtherFeature).toList();
        return CompositeArchRule.of(rules).as("no feature knows another, except that unique may use lease");
    }

    private ArchRule knowsNoOtherFeature(String feature) {
        List<String> others = FEATURES.stream()
                .filter(other -> !other.equals(feature))
                .filter(other -> !(feature.equals("unique") && other.equals("lease")))
                .toList();
        return noClasses()
                .that()
                .resideInAPackage(room(feature))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(rooms(others))
                .allowEmptyShould(true);
    }

    ArchRule featuresKnowNoSpringAop() {
        return noClasses()
                .that()
                .resideInAnyPackage(rooms(FEATURES))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.aop..", "org.aopalliance..", "org.aspectj..")
                .allowEmptyShould(true);
    }

    ArchRule onlyCqlNamesDriverExceptions() {
        return noClasses()
                .that()
                .resideOutsideOfPackages(room("cql"), room("embedded"))
                .should()
                .dependOnClassesThat(assignableTo(Throwable.class)
                        .and(resideInAPackage("com.datastax.."))
                        .as("are driver exceptions"));
    }

    ArchRule noPackageCycles() {
        return slices().matching(root + ".(**)").should().beFreeOfCycles();
    }

    ArchRule apiDoesNotKnowItsEngine() {
        List<ArchRule> rules = FEATURES.stream()
                .<ArchRule>map(feature -> noClasses()
                        .that()
                        .resideInAPackage(root + "." + feature)
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(root + "." + feature + ".*..")
                        .allowEmptyShould(true))
                .toList();
        return CompositeArchRule.of(rules).as("an API does not know the engine below it");
    }

    ArchRule everyPackageIsNullMarked() {
        return classes()
                .should(be(describe(
                        "in a package with @NullMarked",
                        (JavaClass type) -> type.getPackage().isAnnotatedWith(NullMarked.class))));
    }

    /** As Spring Boot's own: found by name, not extended, not called. */
    ArchRule autoConfigurationsAreClosed() {
        return CompositeArchRule.of(classes()
                        .that()
                        .haveSimpleNameEndingWith("AutoConfiguration")
                        .should()
                        .beAnnotatedWith("org.springframework.boot.autoconfigure.AutoConfiguration")
                        .andShould()
                        .haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL)
                        .andShould()
                        .resideInAnyPackage(room("autoconfigure"), room("embedded"))
                        .allowEmptyShould(true))
                .and(members()
                        .that()
                        .areDeclaredInClassesThat()
                        .haveSimpleNameEndingWith("AutoConfiguration")
                        .and()
                        .doNotHaveName("<init>")
                        .should()
                        .notBePublic()
                        .allowEmptyShould(true));
    }

    ArchRule propertiesAreRecords() {
        return classes()
                .that()
                .resideInAPackage(room("autoconfigure"))
                .and()
                .areAnnotatedWith("org.springframework.boot.context.properties.ConfigurationProperties")
                .should()
                .beRecords()
                .andShould()
                .haveSimpleNameEndingWith("Properties")
                .allowEmptyShould(true);
    }

    Stream<ArchRule> all() {
        return Stream.of(
                floors(),
                featuresDoNotKnowEachOther(),
                featuresKnowNoSpringAop(),
                onlyCqlNamesDriverExceptions(),
                noPackageCycles(),
                apiDoesNotKnowItsEngine(),
                everyPackageIsNullMarked(),
                autoConfigurationsAreClosed(),
                propertiesAreRecords());
    }

    private String room(String name) {
        return root + "." + name + "..";
    }

    private String[] rooms(List<String> names) {
        return names.stream().map(this::room).toArray(String[]::new);
    }
}
