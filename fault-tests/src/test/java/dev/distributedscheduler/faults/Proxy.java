package dev.distributedscheduler.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The network between a replica and the database, and what can happen to it.
 *
 * <p>While packets are dropped, nothing arrives and nobody is told, not even that a connection was closed; afterwards, what
 * was held up arrives, as TCP would send it again.
 */
final class Proxy implements AutoCloseable {

    private final ServerSocket door;
    private final int serverPort;
    private final List<Link> links = new CopyOnWriteArrayList<>();
    private final Gate toServer = new Gate();
    private final Gate toClient = new Gate();
    private volatile LostReplies lost = new LostReplies("", 0);

    Proxy(int serverPort) {
        this.serverPort = serverPort;
        try {
            this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        daemon(this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    /** What the client sends no longer arrives. */
    void dropToServer() {
        toServer.shut();
    }

    /** What the server answers no longer arrives. */
    void dropToClient() {
        toClient.shut();
    }

    void dropBoth() {
        dropToServer();
        dropToClient();
    }

    /** Everything arrives so much later, both ways. */
    void delay(Duration delay) {
        toServer.delay = delay;
        toClient.delay = delay;
    }

    /** Breaks all connections; new ones are possible. */
    void cut() {
        links.forEach(Link::snap);
    }

    /** Clients see the end of what the server sends, but may go on sending. */
    void halfClose() {
        links.forEach(Link::halfClose);
    }

    /** As if nothing had been. */
    void restore() {
        delay(Duration.ZERO);
        toServer.open();
        toClient.open();
    }

    /** The next requests that contain the text are executed to their end, and then their connections break. */
    LostReplies loseRepliesTo(String text, int count) {
        lost = new LostReplies(text, count);
        return lost;
    }

    /** Requests whose replies get lost. */
    static final class LostReplies {

        private final String text;
        private final int count;
        private final AtomicInteger chosen = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();

        private LostReplies(String text, int count) {
            this.text = text;
            this.count = count;
        }

        private boolean choose(byte[] request, int length) {
            return chosen.get() < count
                    && new String(request, 0, length, StandardCharsets.ISO_8859_1).contains(text)
                    && chosen.getAndIncrement() < count;
        }

        /** How many of them were executed by the server, and the client does not know. */
        int done() {
            return done.get();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                Link link = new Link(client, new Socket(InetAddress.getLoopbackAddress(), serverPort));
                links.add(link);
                daemon(link::requests);
                daemon(link::replies);
            }
        } catch (IOException closed) {
            cut();
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        restore();
        try {
            door.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        cut();
    }

    /** Holds up what goes one way. */
    private static final class Gate {

        private volatile Duration delay = Duration.ZERO;
        private volatile CountDownLatch opened = new CountDownLatch(0);

        void shut() {
            opened = new CountDownLatch(1);
        }

        void open() {
            opened.countDown();
        }

        void pass() throws InterruptedException {
            boolean unused = new CountDownLatch(1).await(delay.toNanos(), TimeUnit.NANOSECONDS);
            opened.await();
        }
    }

    /** One connection of the client, and its counterpart. */
    private final class Link {

        private static final int PACKET = 65_536;

        private final Socket client;
        private final Socket server;
        private volatile LostReplies losing;

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void requests() {
            byte[] packet = new byte[PACKET];
            try {
                for (int length; (length = client.getInputStream().read(packet)) >= 0; ) {
                    toServer.pass();
                    LostReplies rule = lost;
                    if (rule.choose(packet, length)) {
                        losing = rule;
                    }
                    server.getOutputStream().write(packet, 0, length);
                }
                toServer.pass();
                snap();
            } catch (IOException | InterruptedException broken) {
                afterPassing(toServer);
            }
        }

        void replies() {
            byte[] packet = new byte[PACKET];
            try {
                for (int length; (length = server.getInputStream().read(packet)) >= 0; ) {
                    toClient.pass();
                    if (losing == null) {
                        client.getOutputStream().write(packet, 0, length);
                    } else if (isReadyForQuery(packet, length)) {
                        losing.done.incrementAndGet();
                        snap();
                    }
                }
                toClient.pass();
                snap();
            } catch (IOException | InterruptedException broken) {
                afterPassing(toClient);
            }
        }

        /** The last message of the reply to a request: the transaction, if it was to end, has ended. */
        private static boolean isReadyForQuery(byte[] packet, int length) {
            return length >= 6 && packet[length - 6] == 'Z' && packet[length - 2] == 5;
        }

        private void afterPassing(Gate gate) {
            try {
                gate.pass();
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
            }
            snap();
        }

        void halfClose() {
            try {
                client.shutdownOutput();
            } catch (IOException alreadyBroken) {
                snap();
            }
        }

        void snap() {
            links.remove(this);
            for (Socket socket : List.of(client, server)) {
                try {
                    socket.setSoLinger(true, 0);
                    socket.close();
                } catch (IOException alreadyBroken) {
                    links.remove(this);
                }
            }
        }
    }
}
