import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import path from 'node:path';

/** Where a server listens: a unix socket, or a TCP port of the loopback interface (0: any free one). */
export type ListenAddress = { socketPath: string } | { port: number };

/** A listening server. */
export interface Listener {
  /** `127.0.0.1:port` or the socket's path. */
  address: string;
  /** Stops listening and ends all connections. */
  close(): Promise<void>;
}

/** The kernel's limit for a unix socket's path on Linux and macOS, in bytes. */
export const LONGEST_SOCKET_PATH = 103;

/** Listens, on this machine only, and passes every connection to `serve`. */
export async function listen(where: ListenAddress, serve: (socket: Socket) => void): Promise<Listener> {
  const sockets = new Set<Socket>();
  // A client that has closed its side may still be waiting for a reply.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // Errors are handled where the connection is read; without a listener they would end the process.
    socket.on('error', () => undefined);
    serve(socket);
  });
  const address =
    'port' in where ? await listenOnPort(server, where.port) : await listenOnSocket(server, where.socketPath);
  return {
    address,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
      if ('socketPath' in where) await rm(where.socketPath, { force: true });
    },
  };
}

function listening(server: Server, start: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    start();
  });
}

async function listenOnPort(server: Server, port: number): Promise<string> {
  await listening(server, () => server.listen({ port, host: '127.0.0.1' }));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Creates the socket in a directory that only its owner can enter, makes it private, and then moves it into place. */
async function listenOnSocket(server: Server, socketPath: string): Promise<string> {
  const nurseryBytes = Buffer.byteLength(path.join(path.dirname(socketPath), '.s123456', 's'));
  if (Math.max(Buffer.byteLength(socketPath), nurseryBytes) > LONGEST_SOCKET_PATH) {
    throw new Error(`the path of the socket is too long for the system: ${socketPath}`);
  }
  await removeDead(socketPath);
  const nursery = await mkdtemp(path.join(path.dirname(socketPath), '.s'));
  const born = path.join(nursery, 's');
  try {
    await listening(server, () => server.listen(born));
    await chmod(born, 0o600);
    await rename(born, socketPath);
  } finally {
    await rm(nursery, { recursive: true, force: true });
  }
  return socketPath;
}

/** Removes the socket of a process that has ended. */
async function removeDead(socketPath: string): Promise<void> {
  const isAlive = await new Promise<boolean>((resolve) => {
    const probe = connect(socketPath);
    probe.once('connect', () => resolve(true));
    probe.once('error', () => resolve(false));
    probe.once('close', () => probe.destroy());
  });
  if (isAlive) throw new Error(`another process is listening on ${socketPath}`);
  await rm(socketPath, { force: true });
}
