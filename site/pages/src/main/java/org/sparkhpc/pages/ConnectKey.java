package org.sparkhpc.pages;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.apache.spark.SparkEnv;
import org.sparkproject.connect.grpc.Metadata;
import org.sparkproject.connect.grpc.ServerCall;
import org.sparkproject.connect.grpc.ServerCallHandler;
import org.sparkproject.connect.grpc.ServerInterceptor;
import org.sparkproject.connect.grpc.Status;

/**
 * Lets those calls into a Spark Connect server whose header {@value #HEADER} is the key in a file that only
 * its user can read. A client of Spark's sends it when its address ends with {@code ;x-spark-hpc-key=KEY};
 * every other call is answered with UNAUTHENTICATED.
 *
 * <p>One of {@code spark.connect.grpc.interceptor.classes}. The setting names a file, since clients can read
 * settings and command lines are for everybody to read. Spark's own {@code token} isn't it: its clients send
 * that by TLS alone, which the server doesn't speak.
 */
public final class ConnectKey implements ServerInterceptor {
    static final String HEADER = "x-spark-hpc-key";
    static final String FILE = "spark.org.sparkhpc.pages.ConnectKey.file";

    private static final Metadata.Key<String> GIVEN = Metadata.Key.of(HEADER, Metadata.ASCII_STRING_MARSHALLER);

    private final Key key;

    /** Of the server that runs in this process; a server without a key doesn't start. */
    public ConnectKey() throws IOException {
        this(Paths.get(SparkEnv.get().conf().get(FILE)));
    }

    ConnectKey(Path file) throws IOException {
        key = new Key(KeyFile.read(FILE, file));
    }

    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
            ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
        if (key.is(headers.get(GIVEN))) {
            return next.startCall(call, headers);
        }
        call.close(
                Status.UNAUTHENTICATED.withDescription("this server is its user's alone: end the address with ;"
                        + HEADER + "=KEY, as whoever started the server was told"),
                new Metadata());
        return new ServerCall.Listener<A>() {};
    }
}
