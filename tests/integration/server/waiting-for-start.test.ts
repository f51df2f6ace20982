import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServerBuild } from '@remix-run/node';
import pino from 'pino';
import { afterEach, expect, it } from 'vitest';
import { parseSettings } from '#app/domain/settings/settings.ts';
import { createApp } from '#app/server/app.server.ts';

let server: http.Server | undefined;
afterEach(() => server?.close());

/** The pages of a build with one route, which repeats what it was sent. */
const repeating = {
  entry: { module: { default: () => new Response(null) } },
  routes: {
    repeat: {
      id: 'repeat',
      path: '*',
      module: {
        loader: () => new Response('a page'),
        action: async ({ request }: { request: Request }) => new Response(await request.text()),
      },
    },
  },
  assets: { entry: { imports: [], module: '' }, routes: {}, url: '', version: '1' },
  publicPath: '/',
  assetsBuildDirectory: '',
  future: {},
  isSpaMode: false,
} as unknown as ServerBuild;

async function starting() {
  const app = createApp({
    settings: parseSettings({}),
    log: pino({ level: 'silent' }),
    files: (_request, _response, next) => next(),
    answered: () => {},
  });
  server = http.createServer(app.handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string, sent: RequestInit = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, sent);
    return [answer.status, await answer.text()] as const;
  };
  return { ask, serve: () => app.serve({ build: repeating, mode: 'production' }, []) };
}

it('what is sent to a server that starts is answered once it has started', async () => {
  const { ask, serve } = await starting();
  let answered = 0;
  const sent = [
    ask('/page'),
    ask('/form', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'a dose' }),
  ].map((answer) => answer.finally(() => (answered += 1)));
  expect(await ask('/healthz')).toEqual([200, 'ok\n']);
  expect((await ask('/readyz'))[0]).toBe(503);
  expect(answered).toBe(0);
  serve();
  expect(await Promise.all(sent)).toEqual([
    [200, 'a page'],
    [200, 'a dose'],
  ]);
});

it('who has waited long enough is told that the server is starting, and who has left is forgotten', async () => {
  const { ask, serve } = await starting();
  const left = ask('/page', { signal: AbortSignal.timeout(200) });
  await expect(left).rejects.toThrow();
  const [status, body] = await ask('/page');
  expect([status, body]).toEqual([503, expect.stringContaining('Vialbook is starting')]);
  serve();
  expect(await ask('/page')).toEqual([200, 'a page']);
});
