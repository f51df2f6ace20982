import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportsSignal } from '#app/platform/telemetry/telemetry.server.ts';
import { CLI_PATH } from '#tests/support/cli.ts';
import { startServer, type RunningServer } from '#tests/support/server.ts';
import { WebClient } from '../routes/web-client.ts';
import { signUp } from '../routes/web.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** A collector of OTLP over HTTP. Texts in its messages are plain. */
const received = new Map<string, Buffer>();
let collector: Server;
let server: RunningServer;
beforeAll(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const message = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      const { url = '' } = request;
      received.set(url, Buffer.concat([received.get(url) ?? Buffer.alloc(0), message]));
      response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_SERVICE_NAME: 'vials-at-home',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  };
  server = await startServer({ env });
});
afterAll(async () => {
  await server.stop();
  collector.close();
});

describe('OpenTelemetry', () => {
  it('gets traces of requests, jobs and database calls, and metrics, without anything of a person', async () => {
    const client = new WebClient(server.url);
    await signUp(client, 'traced@example.org');
    await new WebClient(server.url).get('/dashboard/vials/a-secret-id?b=another-secret');
    await fetch(`${server.url}/calculator`, {
      headers: { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` },
    });
    const traces = () => received.get('/v1/traces') ?? Buffer.alloc(0);
    const text = () => traces().toString('latin1');
    for (const span of ['GET /dashboard/vials/:id', 'job mark-missed', 'users.find', 'vials-at-home'])
      await expect.poll(text).toContain(span);
    await expect.poll(() => traces().includes(Buffer.from(TRACE, 'hex'))).toBe(true);
    await server.stop();
    const metrics = received.get('/v1/metrics')?.toString('latin1') ?? '';
    for (const name of ['http.server.request.duration', 'vialbook.job.duration', 'process.memory.usage'])
      expect(metrics).toContain(name);
    for (const all of [text(), metrics]) expect(all).not.toMatch(/traced@|a-secret-id|another-secret/);
  });

  it('gets those of a worker of its own, too', async () => {
    received.clear();
    const { port } = collector.address() as AddressInfo;
    const worker = spawn(process.execPath, [CLI_PATH, 'worker'], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        DATA_DIR: server.dataDir,
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        OTEL_BSP_SCHEDULE_DELAY: '200',
      },
      stdio: 'ignore',
    });
    const ended = once(worker, 'exit');
    const text = (path: string) => received.get(path)?.toString('latin1') ?? '';
    await expect.poll(() => text('/v1/traces')).toContain('job mark-missed');
    worker.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(text('/v1/traces')).toMatch(/vialbook\.process[^]{0,8}worker/);
    expect(text('/v1/metrics')).toContain('vialbook.job.duration');
  });

  it.each([
    [{}, [false, false]],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c' }, [true, true]],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c' }, [true, false]],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_TRACES_EXPORTER: 'none' }, [false, true]],
    [{ OTEL_METRICS_EXPORTER: 'otlp' }, [false, true]],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_SDK_DISABLED: 'true' }, [false, false]],
    [{ OTEL_SERVICE_NAME: 'vials' }, [false, false]],
  ])('of %j exports traces and metrics: %j', (environment, expected) => {
    const exported = (['TRACES', 'METRICS'] as const).map((signal) => exportsSignal(environment, signal));
    expect(exported).toEqual(expected);
  });
});
