package io.surewrite.cql.analysis;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.util.Set;
import java.util.regex.Pattern;

/** Cassandra's own functions, as far as they may stand in a written value. */
final class NativeFunctions {

    private static final Set<String> MADE_BY_THE_SERVER = Set.of(
            "now",
            "uuid",
            "current_timeuuid",
            "current_timestamp",
            "current_date",
            "current_time",
            "currenttimeuuid",
            "currenttimestamp",
            "currentdate",
            "currenttime");

    /**
     * Functions of their arguments alone, to the last bit on every machine. {@code fromJson} is not among them: it reads
     * "now" as the current time.
     */
    private static final Set<String> DETERMINISTIC = Set.of(
            "token",
            "mintimeuuid",
            "min_timeuuid",
            "maxtimeuuid",
            "max_timeuuid",
            "todate",
            "to_date",
            "totimestamp",
            "to_timestamp",
            "tounixtimestamp",
            "to_unix_timestamp",
            "dateof",
            "unixtimestampof",
            "tojson",
            "to_json",
            "abs",
            "round",
            "map_keys",
            "map_values",
            "collection_count",
            "collection_min",
            "collection_max",
            "collection_sum",
            "collection_avg");

    private static final String TYPE = "(ascii|bigint|boolean|date|decimal|double|duration|float|inet|int|smallint"
            + "|text|time|timestamp|timeuuid|tinyint|uuid|varchar|varint)";
    private static final Pattern BLOB_CONVERSION =
            Pattern.compile(TYPE + "_as_blob|" + TYPE + "asblob|blob_as_" + TYPE + "|blobas" + TYPE);

    private NativeFunctions() {}

    static boolean isMadeByTheServer(CqlIdentifier function) {
        return MADE_BY_THE_SERVER.contains(function.asInternal());
    }

    static boolean isDeterministic(CqlIdentifier function) {
        return DETERMINISTIC.contains(function.asInternal())
                || BLOB_CONVERSION.matcher(function.asInternal()).matches();
    }
}
