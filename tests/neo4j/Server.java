import java.nio.file.Path;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/** Runs a Neo4j Community server in the foreground: `java -cp 'lib/*' Server.java HOME`. */
public class Server {
    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        DatabaseManagementService service =
            new DatabaseManagementServiceBuilder(home)
                .loadPropertiesFromFile(home.resolve("conf").resolve("neo4j.conf"))
                .build();
        Runtime.getRuntime().addShutdownHook(new Thread(service::shutdown));
        // Ends with whoever started it, even if that was killed: its end of our standard input closes.
        while (System.in.read() >= 0) {}
        System.exit(0);
    }
}
