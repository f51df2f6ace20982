import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer, type McpParts } from './mcp-server.server.ts';

/** A protocol message. */
type Message = Parameters<StdioServerTransport['send']>[0];

const idOf = (message: Message): string | number | undefined => ('id' in message ? message.id : undefined);

/**
 * Serves a client on a pair of streams until it closes its input and all its requests are answered, or until `stop` aborts.
 * @param io `stdout` receives only the protocol
 */
export async function serveMcpOn(
  { stdin, stdout }: { stdin: Readable; stdout: Writable },
  parts: McpParts,
  stop: AbortSignal,
): Promise<void> {
  const server = createMcpServer(parts);
  const transport = new StdioServerTransport(stdin, stdout);
  await server.connect(transport);
  await new Promise<void>((resolve) => {
    const open = new Set<string | number | undefined>();
    let isClosed = false;
    const settle = () => {
      if (isClosed && open.size === 0) resolve();
    };
    const { onmessage } = transport;
    const send = transport.send.bind(transport);
    transport.onmessage = (message) => {
      if ('method' in message && 'id' in message) open.add(idOf(message));
      // A cancelled request gets no response.
      if ('method' in message && message.method === 'notifications/cancelled')
        open.delete(message.params?.['requestId'] as string | number | undefined);
      onmessage?.(message);
    };
    transport.send = async (message) => {
      await send(message);
      if (!('method' in message)) open.delete(idOf(message));
      settle();
    };
    stdin.once('end', () => {
      isClosed = true;
      settle();
    });
    // A client that has gone reads no responses.
    stdin.once('close', () => {
      if (!stdin.readableEnded) resolve();
    });
    stdout.once('close', resolve).once('error', () => resolve());
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.close();
}
