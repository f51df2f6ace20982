import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as received. */
export interface ReceivedHook {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  event: { id: string; type: string; createdAt: string; data: Record<string, unknown> };
}

export interface WebhookHost {
  port: number;
  url(name: string): string;
  received: ReceivedHook[];
  close(): Promise<void>;
}

/** What a receiver does with a message; by default it accepts all. */
export type HookAnswer = (message: ReceivedHook, response: ServerResponse) => void;

/** A receiver of webhooks, or of ntfy messages, in this process. */
export async function startWebhookHost(
  answer: HookAnswer = (_message, response) => void response.writeHead(204).end(),
  { address = '127.0.0.1', port = 0 }: { address?: string; port?: number } = {},
): Promise<WebhookHost> {
  const received: ReceivedHook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const event = JSON.parse(body || '{}') as ReceivedHook['event'];
      const message = { path: request.url ?? '', headers: request.headers, body, event };
      received.push(message);
      answer(message, response);
    });
  });
  server.listen(port, address);
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: (name) => `http://${address}:${bound}/${name}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Whether a message has the headers of the Standard Webhooks for a secret, checked as their libraries do. */
export function isStandard({ headers, body, event }: ReceivedHook, secret: string): boolean {
  const [time, id] = [headers['webhook-timestamp'], headers['webhook-id']];
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key)
    .update(`${String(id)}.${String(time)}.${body}`)
    .digest('base64');
  const signatures = String(headers['webhook-signature']).split(' ');
  return id === event.id && signatures.includes(`v1,${signature}`);
}

/** Whether a message is signed with a secret, computed independently of the product. */
export function isSigned({ headers, body }: ReceivedHook, secret: string): boolean {
  const [, time = '', signatures = ''] =
    /^t=(\d+)((?:,v1=[0-9a-f]{64}){1,2})$/.exec(String(headers['vialbook-signature'])) ?? [];
  const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return signatures.split(',').includes(`v1=${expected}`);
}
