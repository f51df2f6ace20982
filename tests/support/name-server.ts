import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** How a name is answered: with an IPv4 address, with "no such name", or never. */
export type NameAnswer = string | 'missing' | 'silent';

export interface NameServer {
  /** For `Resolver.setServers`. */
  address: string;
  /** The names of all questions for an IPv4 address so far, repeated questions included. */
  queries: string[];
  close(): Promise<void>;
}

const A = 1;

/** The name and the type in the only question of a message (RFC 1035, section 4.1.2), and where the question ends. */
function questionOf(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** A real name server on this machine, over UDP. */
export async function startNameServer(answerOf: (name: string) => NameAnswer): Promise<NameServer> {
  const queries: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const { name, type, end } = questionOf(message);
    if (type === A) queries.push(name);
    const answer = answerOf(name);
    if (answer === 'silent') return;
    const hasAddress = answer !== 'missing' && type === A;
    const header = Buffer.alloc(12);
    header.writeUInt16BE(message.readUInt16BE(0), 0);
    // A response to a recursive query; code 3 is "no such name".
    header.writeUInt16BE(answer === 'missing' ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(hasAddress ? 1 : 0, 6);
    // The name as a pointer to the question, type A, class IN, valid for a minute, four bytes.
    const start = Buffer.from([0xc0, 0x0c, 0, A, 0, 1, 0, 0, 0, 60, 0, 4]);
    const record = hasAddress ? [start, Buffer.from(answer.split('.').map(Number))] : [];
    socket.send(Buffer.concat([header, message.subarray(12, end), ...record]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}
