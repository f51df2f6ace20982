import { once } from 'node:events';
import net from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startServer, type RunningServer } from '#tests/support/server.ts';

/** A signal finishes what runs and ends with 0. */
let server: RunningServer;
afterEach(() => server.stop('SIGKILL'));

const BODY = 'email=a%40example.org&password=blue-kettle-47';

/** A connection that is kept open, and all that came over it. */
function connect(): { socket: net.Socket; text: () => string } {
  const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)));
  return { socket, text: () => text };
}

/** Starts a server and a request to it, of which the body is not complete. */
async function beginRequest() {
  server = await startServer({ env: { LOG_LEVEL: 'info' } });
  const { host } = new URL(server.url);
  const begun = connect();
  const head = [
    'POST /login HTTP/1.1',
    `Host: ${host}`,
    `Origin: ${server.url}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${BODY.length}`,
  ];
  begun.socket.write(`${head.join('\r\n')}\r\n\r\n${BODY.slice(0, 10)}`);
  // The server has its head when it answers what was sent after it.
  const later = connect();
  later.socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await expect.poll(later.text).toContain('200 OK');
  return { host, begun };
}

it('a request in progress when the server is stopped is answered, and its connection is closed', async () => {
  const { host, begun } = await beginRequest();
  const idle = connect();
  idle.socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await expect.poll(idle.text).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: keep-alive\r\n/i);

  const stopped = server.stop('SIGINT');
  // As after Ctrl+C, which the terminal sends to the server, and whatever started the server passes on.
  server.process.kill('SIGINT');
  server.process.kill('SIGTERM');
  await expect.poll(() => server.output()).toContain('"stopping"');
  begun.socket.write(BODY.slice(10));
  expect(await stopped).toBe(0);
  await expect.poll(begun.text).toMatch(/^HTTP\/1\.1 400 [^]*\r\nConnection: close\r\n/i);
});

it('a later signal ends the server at once, even if a request is in progress', async () => {
  await beginRequest();
  const ended = once(server.process, 'exit');
  const again = setInterval(() => server.process.kill('SIGINT'), 200);
  expect(await ended).toEqual([null, 'SIGINT']);
  clearInterval(again);
});
