# What scripts share that package applications and run their jars; to be sourced in the repository's folder. Sets repository, work (a
# folder that goes away at the end), pids (processes that are ended then), homes (the JDKs to run on), and, when asked, a server.
repository=$PWD
fail() { echo "FAILED: $*" >&2; exit 1; }
say() { echo "== $*"; }

homes=("$@")
if [ ${#homes[@]} -eq 0 ]; then
    running=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
    for javac in "$(dirname "$running")"/*/bin/javac; do
        home=$(dirname "$(dirname "$(readlink -f "$javac")")")
        case " ${homes[*]-} " in *" $home "*) ;; *) homes+=("$home") ;; esac
    done
fi
for home in "${homes[@]}"; do [ -x "$home/bin/java" ] || fail "$home is the home of no JDK"; done

work=$(mktemp -d)
pids=()
finish() {
    local pid
    for pid in ${pids[@]+"${pids[@]}"}; do kill "$pid" 2>/dev/null || true; done
    wait
    rm -rf "$work"
}
trap finish EXIT

property() { sed -n "s:.*<$1>\\(.*\\)</$1>.*:\\1:p" pom.xml | head -n 1; }

guide=docs/getting-started.md

# The first code block of a language of the guide that has a text in it.
block() {
    awk -v start="\`\`\`$1" -v text="$2" '
        $0 == start { inside = 1; code = ""; next }
        /^```/ && inside { if (index(code, text)) { printf "%s", code; exit } inside = 0; next }
        inside { code = code $0 "\n" }' "$guide" | grep . || fail "$guide has no $1 with $2"
}

# pom.xml of an application: its name, its dependencies as the guide says them, and what Boot's plugin does before it packages.
pom() {
    local goal goals=
    for goal in "${@:3}"; do goals+="<goal>$goal</goal>"; done
    [ -z "$goals" ] || goals="<execution><goals>$goals</goals></execution>"
    cat <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
    <modelVersion>4.0.0</modelVersion>
    <parent>
        <groupId>org.springframework.boot</groupId>
        <artifactId>spring-boot-starter-parent</artifactId>
        <version>$(property spring-boot.version)</version>
        <relativePath/>
    </parent>
    <groupId>com.example</groupId>
    <artifactId>$1</artifactId>
    <version>1</version>
$2
    <build>
        <plugins>
            <plugin>
                <groupId>org.springframework.boot</groupId>
                <artifactId>spring-boot-maven-plugin</artifactId>
                <executions>
                    $goals
                    <execution>
                        <id>repackage</id>
                        <goals>
                            <goal>repackage</goal>
                        </goals>
                    </execution>
                </executions>
            </plugin>
            <plugin>
                <artifactId>maven-dependency-plugin</artifactId>
                <version>$(property maven-dependency-plugin.version)</version>
                <executions>
                    <execution>
                        <phase>package</phase>
                        <goals>
                            <goal>build-classpath</goal>
                        </goals>
                        <configuration>
                            <outputFile>\${project.build.directory}/classpath</outputFile>
                        </configuration>
                    </execution>
                </executions>
            </plugin>
            <plugin>
                <artifactId>maven-surefire-plugin</artifactId>
                <configuration>
                    <systemPropertyVariables>
                        <spring.aot.enabled>true</spring.aot.enabled>
                    </systemPropertyVariables>
                </configuration>
            </plugin>
        </plugins>
    </build>
</project>
POM
}

dependency() {
    echo "<dependency><groupId>$1</groupId><artifactId>$2</artifactId></dependency>"
}

# One reactor of this repository and the given projects in $work, so that nothing is installed anywhere. Maven looks beside its first
# POM for its settings, and the build there for the license.
package() {
    local modules=() here module
    while [ "$1" != -- ]; do modules+=("$1"); shift; done
    shift
    cp -r .mvn LICENSE NOTICE "$work"
    here=$(realpath --relative-to="$work" "$repository")
    {
        echo '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        echo '<groupId>com.example</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging><modules>'
        for module in "$here" "${modules[@]}"; do echo "<module>$module</module>"; done
        echo '</modules></project>'
    } >"$work/pom.xml"
    mvn -B -q ${MAVEN_ARGUMENTS:-} -f "$work/pom.xml" -am -Dsurefire.failIfNoSpecifiedTests=false \
        -Dmaven.javadoc.skip -Dmaven.source.skip -Dcyclonedx.skip -Dverification.faults.phase=none "$@" package
}

# Starts an embedded server with the class path of a packaged application; sets cassandra, the arguments that lead there.
serve() {
    local server address datacenter
    java -cp "$(cat "$1")" io.surewrite.embedded.Main --keyspace shop >"$work/server.log" 2>&1 &
    server=$!
    pids+=("$server")
    touch "$work/server.log"
    until grep -q 'Ctrl-C stops it' "$work/server.log"; do
        kill -0 "$server" 2>/dev/null || { cat "$work/server.log" >&2; fail "the server did not start"; }
        sleep 0.2
    done
    address=$(sed -n 's/^  \(127[^ ]*\) .*/\1/p' "$work/server.log" | head -n 1)
    datacenter=$(sed -n 's/^Local datacenter: \(.*\)\. Ctrl-C.*/\1/p' "$work/server.log")
    cassandra=(--spring.cassandra.contact-points="$address" --spring.cassandra.local-datacenter="$datacenter"
        --spring.cassandra.keyspace-name=shop --surewrite.schema.initialize=always)
}

free_port() {
    local port=$((20000 + RANDOM % 10000))
    while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
    echo "$port"
}
