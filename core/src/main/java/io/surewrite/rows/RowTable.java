package io.surewrite.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table as the driver's metadata shows it at one time: its columns by their roles, how their values are encoded, and the
 * statements on its rows. Thread-safe.
 */
public class RowTable {

    private static final CqlIdentifier DEFAULT_TTL = CqlIdentifier.fromInternal("default_time_to_live");

    private final DriverContext driver;
    private final TableMetadata table;
    private final String qualifiedName;
    private final List<TableColumn> columns;
    private final Map<CqlIdentifier, TableColumn> byName;
    private final List<TableColumn> partitionKey;
    private final List<TableColumn> primaryKey;
    private final List<TableColumn> cells;
    private final List<TableColumn> multiCells;
    private final List<TableColumn> statics;
    private final List<TableColumn> lists;
    private final int secondsToLive;
    private final Map<Object, RowStatement> statements = new ConcurrentHashMap<>();

    /**
     * A table with all its columns.
     *
     * @param driver has the codecs
     * @param table the table
     */
    public RowTable(DriverContext driver, TableMetadata table) {
        this(driver, table, table.getColumns().keySet());
    }

    /**
     * @param known the columns to look at, among them the primary key
     */
    RowTable(DriverContext driver, TableMetadata table, Set<CqlIdentifier> known) {
        this.driver = driver;
        this.table = table;
        this.qualifiedName =
                table.getKeyspace().asCql(true) + "." + table.getName().asCql(true);
        this.columns = table.getColumns().values().stream()
                .filter(column -> known.contains(column.getName()))
                .map(column -> TableColumn.of(table, column))
                .toList();
        this.byName = columns.stream().collect(Collectors.toUnmodifiableMap(TableColumn::name, column -> column));
        this.partitionKey = inOrderOf(table.getPartitionKey());
        this.primaryKey = inOrderOf(table.getPrimaryKey());
        this.cells = columns(column -> column.role() == TableColumn.Role.CELL);
        this.multiCells = columns(column -> column.role().isMultiCell());
        this.statics = columns(column -> column.role() == TableColumn.Role.STATIC);
        this.lists = columns(TableColumn::isList);
        this.secondsToLive = table.getOptions().get(DEFAULT_TTL) instanceof Number seconds ? seconds.intValue() : 0;
    }

    private List<TableColumn> inOrderOf(List<? extends ColumnMetadata> key) {
        return key.stream()
                .map(part -> byName.get(part.getName()))
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * {@return what the driver knows of the table}
     */
    public TableMetadata table() {
        return table;
    }

    /**
     * {@return the table in CQL, with its keyspace}
     */
    public String qualifiedName() {
        return qualifiedName;
    }

    /**
     * {@return which table of which cluster it is}
     */
    public Place place() {
        return new Place(driver, qualifiedName);
    }

    /**
     * A table, of which there may be one on each of several clusters.
     *
     * @param driver stands for the session
     * @param table the table in CQL
     */
    public record Place(DriverContext driver, String table) {}

    /**
     * {@return the columns, in the order of the table}
     */
    public List<TableColumn> columns() {
        return columns;
    }

    /**
     * Some of the columns.
     *
     * @param wanted which
     * @return them, in the order of the table
     */
    public List<TableColumn> columns(Predicate<TableColumn> wanted) {
        return columns.stream().filter(wanted).toList();
    }

    /**
     * One of the columns.
     *
     * @param name its name
     * @return the column
     */
    public TableColumn column(CqlIdentifier name) {
        TableColumn found = byName.get(name);
        if (found == null) {
            throw new IllegalArgumentException("%s has no column %s".formatted(qualifiedName, name.asCql(true)));
        }
        return found;
    }

    /**
     * {@return the columns of the partition key, in its order}
     */
    public List<TableColumn> partitionKey() {
        return partitionKey;
    }

    /**
     * {@return the columns of the primary key, in its order}
     */
    public List<TableColumn> primaryKey() {
        return primaryKey;
    }

    /**
     * {@return the columns that are one cell of the row}
     */
    public List<TableColumn> cells() {
        return cells;
    }

    /**
     * {@return the columns that are several cells of the row}
     */
    public List<TableColumn> multiCells() {
        return multiCells;
    }

    /**
     * {@return the columns that the rows of a partition share}
     */
    public List<TableColumn> statics() {
        return statics;
    }

    /**
     * {@return the columns that are non-frozen lists, whatever their role}
     */
    public List<TableColumn> lists() {
        return lists;
    }

    /**
     * {@return for how many seconds rows live by the table's default; 0 if they do not end}
     */
    public int secondsToLive() {
        return secondsToLive;
    }

    /**
     * Encodes a value.
     *
     * @param column a column
     * @param value a value that a codec of the session takes for it
     * @return the value as the column stores it
     */
    public @Nullable ByteBuffer encoded(TableColumn column, Object value) {
        return driver.getCodecRegistry().codecFor(column.type(), value).encode(value, driver.getProtocolVersion());
    }

    /**
     * Decodes a value.
     *
     * @param column a column
     * @param bytes what it stores; stays as it is
     * @return the value, of the driver's default type
     */
    public @Nullable Object decoded(TableColumn column, ByteBuffer bytes) {
        // A codec may move the position of what it reads, and the bytes may be needed once more.
        return driver.getCodecRegistry().codecFor(column.type()).decode(bytes.duplicate(), driver.getProtocolVersion());
    }

    /**
     * A statement on rows of the table, which is made once and keeps what it was prepared to.
     *
     * @param key tells it from others
     * @param make makes it
     * @return the statement
     */
    public RowStatement statement(Object key, Supplier<RowStatement.Builder> make) {
        RowStatement known = statements.get(key);
        return known != null
                ? known
                : statements.computeIfAbsent(key, absent -> make.get().build());
    }
}
