import { expect, it } from 'vitest';
import { spawnCli } from '#tests/support/cli.ts';
import { onEngine } from '#tests/support/named-deployment.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { startServer } from '#tests/support/server.ts';
import { visibleText } from '#tests/support/html.ts';
import { WebClient } from './web-client.ts';
import { useOwnWeb } from './web.ts';

const TOKEN = 'a token for the monitoring';
const web = useOwnWeb({ METRICS_TOKEN: TOKEN, TRUST_PROXY: '1', LOG_LEVEL: 'info' });
const ask = (authorization?: string) =>
  fetch(`${web.url}/metrics`, authorization === undefined ? {} : { headers: { authorization } });

it('metrics require the token', async () => {
  for (const wrong of [undefined, 'Bearer', 'Bearer x', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`]) {
    const answer = await ask(wrong);
    expect([answer.status, answer.headers.get('www-authenticate')], wrong).toEqual([401, 'Bearer']);
  }
  expect((await ask(`Bearer ${TOKEN}`)).status).toBe(200);
});

it('metrics are 404 without a token in the settings', async () => {
  const plain = await startServer();
  const answer = await fetch(`${plain.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(answer.status).toBe(404);
  await plain.stop();
});

it('metrics cover requests, memory, database and jobs, in a valid format', async () => {
  for (let count = 0; count < 3; count += 1) await fetch(`${web.url}/nowhere-${count}`);
  const worked = () => ask(`Bearer ${TOKEN}`).then((answer) => answer.text());
  await expect.poll(worked).toContain('vialbook_job_failures{job="mark-missed"} 0');
  const answer = await ask(`Bearer ${TOKEN}`);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await answer.text();
  expect(text).toContain('http_requests_total{method="GET",status="404"} 3\n');
  expect(text).toContain('vialbook_database_up 1\n');
  for (const queue of ['reminders', 'deliveries', 'webhooks', 'plans'])
    expect(text).toMatch(new RegExp(`^vialbook_backlog\\{queue="${queue}"\\} 0$`, 'm'));
  expect(text).toMatch(/^nodejs_eventloop_lag_seconds\{quantile="p99"\} [\d.e-]+$/m);
  expect(text).toMatch(/^process_resident_memory_bytes [1-9]\d+$/m);
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(
      /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[\d.e+-]+)$/,
    );
  const all = Number(/^http_request_duration_seconds_count (\d+)$/m.exec(text)?.[1]);
  expect(all).toBeGreaterThanOrEqual(3);
  expect(text).toContain(`http_request_duration_seconds_bucket{le="+Inf"} ${all}\n`);
});

it('metrics tell routes and processes apart', async () => {
  const client = new WebClient(web.url);
  for (let count = 0; count < 2; count += 1) await client.get('/dashboard/vials/some-id?a=b');
  await client.get('/api/compounds/another-id');
  await client.get('/api/compounds/dashboard/vials/__proto__');
  const text = await (await ask(`Bearer ${TOKEN}`)).text();
  expect(text).toContain('http_route_requests_total{method="GET",route="/dashboard/vials/:id"} 2\n');
  expect(text).toContain('http_route_requests_total{method="GET",route="/api/compounds/:id"} 1\n');
  expect(text).toContain('http_route_errors_total{method="GET",route="/dashboard/vials/:id"} 0\n');
  expect(text).toMatch(/^http_route_seconds_total\{method="GET",route="\/dashboard\/vials\/:id"\} 0\.\d+$/m);
  expect(text).not.toMatch(/some-id|another-id|__proto__/);
  // A server works, too; a worker reports in the same way.
  const seen = () => ask(`Bearer ${TOKEN}`).then((answer) => answer.text());
  await expect
    .poll(seen)
    .toMatch(/^vialbook_process_resident_memory_bytes\{host="[^"]+",pid="\d+",kind="server"\} [1-9]\d+$/m);
});

it.runIf(onEngine)('tell the size of the embedded database’s file', async () => {
  const text = await (await ask(`Bearer ${TOKEN}`)).text();
  expect(text).toMatch(/^vialbook_database_file_bytes [1-9]\d+$/m);
  expect(text).toMatch(/^vialbook_database_free_bytes \d+$/m);
});

it('a trusted proxy’s request id is used in the log; an invalid one is replaced', async () => {
  const send = async (id: string) => {
    const answer = await fetch(`${web.url}/healthz`, { headers: { 'x-request-id': id } });
    return answer.headers.get('x-request-id');
  };
  expect(await send('proxy-id-0001')).toBe('proxy-id-0001');
  expect(await send('a b{"x":1}')).toMatch(/^[0-9a-f-]{36}$/);
  await expect.poll(() => web.server.output()).toContain('"requestId":"proxy-id-0001"');
});

it('a failed backup is reported with path, reason and remedy, by /readyz with the token and on the system page', async () => {
  // Nobody, not even root, can create a directory under a file.
  const env = { METRICS_TOKEN: TOKEN, BACKUP_DIR: '/dev/null/kept' };
  const server = await startServer({ env });
  try {
    const ready = async (authorization?: string) => {
      const headers = new Headers(authorization === undefined ? {} : { authorization });
      const answer = await fetch(`${server.url}/readyz`, { headers });
      expect(answer.status).toBe(200);
      return answer.text();
    };
    const reason =
      "No backup in /dev/null/kept: ENOTDIR: not a directory, mkdir '/dev/null/kept'. Part of the path is a file. Set BACKUP_DIR to a directory.";
    await expect.poll(() => ready(`Bearer ${TOKEN}`)).toContain('back-up failed');
    expect(await ready(`Bearer ${TOKEN}`)).toMatch(
      /^ready\nback-up failed 1 time, last at \d{4}-\d\d-\d\dT[\d:.]+Z: No backup in .*\n$/,
    );
    expect(await ready(`Bearer ${TOKEN}`)).toContain(`: ${reason}\n`);
    for (const stranger of [undefined, 'Bearer x', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`])
      expect(await ready(stranger), stranger).toBe('ready\n');

    const made = await spawnCli(['admin', 'create', 'operator@example.org', '--yes'], {
      env: { DATA_DIR: server.dataDir, NODE_ENV: 'production', VIALBOOK_PASSWORD: PASSWORD },
    });
    expect(made.code, made.stderr).toBe(0);
    const operator = new WebClient(server.url);
    await operator.post('/admin/login', { email: 'operator@example.org', password: PASSWORD });
    const page = visibleText((await operator.get('/admin/dashboard/system')).body);
    expect(page).toContain(`Failed: back-up ${reason}`);
  } finally {
    await server.stop();
  }
});
