import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EndpointRule, PushTarget } from '#app/integrations/push.server.ts';

/** Allows pushes to a service on this machine, which the real rule never does. */
export const LOOPBACK_RULE: EndpointRule = {
  protocols: ['http:'],
  isAllowed: (address) => address === '127.0.0.1',
};

/** A message as received by a push service. */
export interface ReceivedPush {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface PushHost {
  /** The endpoint for a browser with this name. */
  endpoint(name: string): string;
  received: ReceivedPush[];
  close(): Promise<void>;
}

/** A push service in this process. `answer` decides what it does with a message; by default it accepts all. */
export async function startPushHost(
  answer: (message: ReceivedPush) => { status: number; headers?: Record<string, string> } = () => ({
    status: 201,
  }),
): Promise<PushHost> {
  const received: ReceivedPush[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const message = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) };
      received.push(message);
      const { status, headers = {} } = answer(message);
      response.writeHead(status, headers).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: (name) => `http://127.0.0.1:${port}/push/${name}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The keys of a subscribed browser. */
export interface TestBrowser {
  target(endpoint: string): PushTarget;
  /** Decrypts a message like the browser (RFC 8291, RFC 8188). @throws when it is not for this browser */
  decrypt(body: Buffer): string;
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

export function newBrowser(): TestBrowser {
  const ecdh = createECDH('prime256v1');
  const publicKey = ecdh.generateKeys();
  const auth = randomBytes(16);
  return {
    target: (endpoint) => ({
      endpoint,
      p256dh: publicKey.toString('base64url'),
      auth: auth.toString('base64url'),
    }),
    decrypt(body) {
      const salt = body.subarray(0, 16);
      const keyLength = body.readUInt8(20);
      const senderKey = body.subarray(21, 21 + keyLength);
      const sealed = body.subarray(21 + keyLength);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey]);
      const secret = derive(ecdh.computeSecret(senderKey), auth, info, 32);
      const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
      const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
      const decipher = createDecipheriv('aes-128-gcm', key, nonce);
      decipher.setAuthTag(sealed.subarray(-16));
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8');
    },
  };
}
