import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { deserialize, serialize, type Document } from 'bson';

const OP_MSG = 2013;

/** A client without a driver: sends exactly what a test specifies, and returns raw replies. */
export interface WireClient {
  readonly socket: Socket;
  /** Sends a command and returns its reply, even if it is an error. */
  command(body: Document, flags?: number): Promise<Document>;
  /** Sends raw bytes. */
  write(bytes: Uint8Array): void;
  /** The next reply. Rejects when the connection ends. */
  reply(): Promise<Document>;
  /** Resolves once the other side has closed the connection. */
  closed: Promise<void>;
  end(): void;
}

/** The bytes of an OP_MSG with one section of kind 0. */
export function commandBytes(body: Document, flags = 0): Buffer {
  const document = serialize(body);
  const head = Buffer.alloc(21);
  head.writeInt32LE(21 + document.length, 0);
  head.writeInt32LE(1, 4);
  head.writeInt32LE(OP_MSG, 12);
  head.writeUInt32LE(flags, 16);
  return Buffer.concat([head, document]);
}

/** Connects to the engine behind a connection string. */
export async function openWire(uri: string): Promise<WireClient> {
  const address = decodeURIComponent(/^mongodb:\/\/(?:[^@/]*@)?([^/]+)\//.exec(uri)?.[1] ?? '');
  const socket = address.endsWith('.sock')
    ? connect(address)
    : connect(Number(address.split(':')[1]), '127.0.0.1');
  await once(socket, 'connect');
  const closed = once(socket, 'close').then(() => undefined);
  socket.on('error', () => undefined);
  const waiting: { resolve: (reply: Document) => void; reject: (error: Error) => void }[] = [];
  const arrived: Document[] = [];
  let held = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    while (held.length >= 4 && held.length >= held.readInt32LE(0)) {
      const size = held.readInt32LE(0);
      const reply = deserialize(held.subarray(21, size), { promoteLongs: false, promoteBuffers: false });
      held = held.subarray(size);
      const next = waiting.shift();
      if (next) next.resolve(reply);
      else arrived.push(reply);
    }
  });
  void closed.then(() =>
    waiting.splice(0).forEach(({ reject }) => reject(new Error('the connection was closed'))),
  );
  const reply = () =>
    new Promise<Document>((resolve, reject) => {
      const ready = arrived.shift();
      if (ready) resolve(ready);
      else if (socket.destroyed) reject(new Error('the connection was closed'));
      else waiting.push({ resolve, reject });
    });
  return {
    socket,
    closed,
    reply,
    write: (bytes) => void socket.write(bytes),
    command: (body, flags) => {
      socket.write(commandBytes(body, flags));
      return reply();
    },
    end: () => socket.destroy(),
  };
}
