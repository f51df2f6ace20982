import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import type { LoaderFunctionArgs, ServerBuild } from '@remix-run/node';
import express from 'express';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CompleteResponse } from '#app/platform/http/complete-response.server.ts';
import { remixHandler } from '#app/server/remix-handler.server.ts';

type Answer = (args: LoaderFunctionArgs) => Response | Promise<Response>;

/** A build with one address, which responds with the result of `answer`. */
function buildOf(answer: Answer): ServerBuild {
  const route = { id: 'answer', path: 'answer' };
  const manifest = { ...route, module: '', hasAction: true, hasLoader: true } as never;
  return {
    mode: 'production',
    entry: { module: { default: () => new Response('a page') } },
    routes: { answer: { ...route, module: { loader: answer, action: answer } as never } },
    assets: { entry: { imports: [], module: '' }, routes: { answer: manifest }, url: '', version: '1' },
    publicPath: '/',
    assetsBuildDirectory: '',
    future: { v3_singleFetch: true } as never,
    isSpaMode: false,
  };
}

let server: http.Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  vi.restoreAllMocks();
});

const failures: unknown[] = [];

async function serve(answer: Answer): Promise<number> {
  failures.length = 0;
  const app = express();
  app.set('trust proxy', 1);
  app.use((_request, response, next) => {
    response.vary('Origin');
    next();
  });
  app.all(
    '*',
    remixHandler(buildOf(answer), () => ({ requestId: 'r1' }) as never),
  );
  app.use(((error, _request, response, _next) => {
    failures.push(error);
    if (response.headersSent) response.destroy();
    else response.status(500).end('failed');
  }) satisfies express.ErrorRequestHandler);
  server = http.createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function asked(answer: Answer, init: RequestInit = {}, path = '/answer') {
  const port = await serve(answer);
  return fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });
}

const page = () =>
  new CompleteResponse(Buffer.from('<p>ü</p>'), {
    status: 400,
    headers: { 'Content-Type': 'text/html', 'Content-Length': '9', Vary: 'Accept-Encoding' },
  });

describe('a response of the pages', () => {
  it('is sent without a stream if it is complete', async () => {
    const made: Response[] = [];
    const response = await asked(() => {
      made.push(page());
      return made[0] as Response;
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toBe('<p>ü</p>');
    expect(made.map(({ bodyUsed }) => bodyUsed)).toEqual([false]);
  });

  it('has its length, its type with the charset, and headers that were already set', async () => {
    const { headers } = await asked(page);
    expect(headers.get('content-length')).toBe('9');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('vary')).toBe('Origin, Accept-Encoding');
  });

  it('has only headers for a HEAD request', async () => {
    const response = await asked(page, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length')]).toEqual([400, '9']);
    expect(await response.text()).toBe('');
  });

  it.each([204, 304])('has no body with %i', async (status) => {
    const response = await asked(() => new Response(null, { status, headers: { ETag: '"1"' } }));
    expect([response.status, response.headers.get('etag')]).toEqual([status, '"1"']);
    expect(await response.text()).toBe('');
  });

  it('has every cookie in a separate header, and its own status text', async () => {
    const headers = new Headers([
      ['Set-Cookie', 'a=1; Path=/'],
      ['Set-Cookie', 'b=2, 3; Path=/'],
    ]);
    const response = await asked(
      () => new Response(null, { status: 410, statusText: 'Over there', headers }),
    );
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2, 3; Path=/']);
    expect(response.statusText).toBe('Over there');
  });

  it('is sent piece by piece if it is a stream', async () => {
    let more: () => void = () => undefined;
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from('one '));
        more = () => {
          controller.enqueue(Buffer.from('two'));
          controller.close();
        };
      },
    });
    const response = await asked(
      () => new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } }),
    );
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('one ');
    more();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('two');
    expect((await reader?.read())?.done).toBe(true);
  });

  it('is aborted and reported if it fails midway', async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(Buffer.from('the beginning'));
        controller.error(new Error('the database went away'));
      },
    });
    const whole = asked(() => new Response(stream)).then((response) => response.text());
    await expect(whole).rejects.toThrow();
    expect(failures).toEqual([expect.objectContaining({ message: 'the database went away' })]);
  });
});

describe('a request to the pages', () => {
  const echo: Answer = async ({ request, context }) =>
    Response.json({
      url: request.url,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
      context,
    });

  it('has the original address, headers and body, even if large', async () => {
    const body = 'ü'.repeat(300_000);
    const response = await asked(
      echo,
      { method: 'PUT', body, headers: { 'X-Own': 'yes' } },
      '/answer?a=1&b=%2F',
    );
    const seen = (await response.json()) as Record<string, unknown>;
    expect(seen).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/answer\?a=1&b=%2F$/),
      method: 'PUT',
      body,
      context: { requestId: 'r1' },
      headers: { 'x-own': 'yes', 'content-length': '600000' },
    });
  });

  it('uses the name and port from a trusted proxy', async () => {
    const headers = { 'X-Forwarded-Host': 'vials.example:8443', 'X-Forwarded-Proto': 'https' };
    const { url } = (await (await asked(echo, { headers })).json()) as { url: string };
    expect(url).toBe('https://vials.example:8443/answer');
  });

  it('is aborted if its client disconnects before the response, but not afterwards', async () => {
    let request: Request | undefined;
    let begun: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (begun = resolve));
    const port = await serve((args) => {
      request = args.request;
      begun();
      return new Promise(() => undefined);
    });
    const socket = net.connect(port, '127.0.0.1');
    socket.write('GET /answer HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await arrived;
    expect(request?.signal.aborted).toBe(false);
    socket.destroy();
    await vi.waitFor(() => expect(request?.signal.aborted).toBe(true));
    server?.close();
    let answered: Request | undefined;
    await asked((args) => {
      answered = args.request;
      return page();
    });
    const closed = server && once(server, 'close');
    server?.closeAllConnections();
    server?.close();
    await closed;
    expect(answered?.signal.aborted).toBe(false);
  });
});
