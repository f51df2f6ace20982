import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendTestEvent } from '#app/features/webhooks/webhook-deliveries.server.ts';
import { createWebhook, rotateWebhookSecret, updateWebhook } from '#app/features/webhooks/webhooks.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';
import { freePort } from '#tests/support/server.ts';
import { startWebhookHost } from '#tests/support/webhook-host.ts';

/** Runs the documentation's examples against real messages. */
const BLOCKS = [...readFileSync('docs/webhooks.md', 'utf8').matchAll(/```(js|python)\n([\s\S]*?)```/g)];
const codeOf = (language: string) =>
  BLOCKS.filter(([, name]) => name === language)
    .map(([, , code = '']) => code)
    .join('\n');

let db: TestDatabase;
let folder: string;
beforeAll(async () => {
  db = await openTestDatabase();
  // The receiver uses the real clock.
  db.clock.advance(Date.now() - db.clock.now().getTime());
  folder = mkdtempSync(path.join(tmpdir(), 'vialbook-receiver-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await db.dispose();
});

it('the documented JavaScript receiver accepts only signed messages', async () => {
  const { ctx } = await newPerson(db, 'receiver@example.org', { plan: 'trial' });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { webhook, secret } = await createWebhook(ctx, { url, events: ['dose.due'] });
  const file = path.join(folder, 'receiver.mjs');
  writeFileSync(file, codeOf('js'));
  const env = { ...process.env, PORT: String(port), VIALBOOK_WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  try {
    await expect
      .poll(() =>
        fetch(url).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(401);
    expect(await sendTestEvent(ctx, webhook.id)).toMatchObject({ state: 'sent', status: 204 });
    await expect.poll(() => output).toContain('test {"message":"This is a test event from Vialbook."}');
    await rotateWebhookSecret(ctx, webhook.id);
    expect(await sendTestEvent(ctx, webhook.id), 'with the old secret').toMatchObject({ state: 'sent' });
    await rotateWebhookSecret(ctx, webhook.id);
    expect(await sendTestEvent(ctx, webhook.id)).toMatchObject({ state: 'failed', status: 401 });
  } finally {
    child.kill();
  }
});

it('the documented Python function accepts only signed messages', async () => {
  const { ctx } = await newPerson(db, 'python@example.org', { plan: 'trial' });
  const host = await startWebhookHost();
  const { webhook, secret } = await createWebhook(ctx, { url: host.url('x'), events: ['dose.due'] });
  await updateWebhook(ctx, webhook.id, { events: ['dose.taken'] });
  await rotateWebhookSecret(ctx, webhook.id);
  await sendTestEvent(ctx, webhook.id);
  await host.close();
  const [message] = host.received;
  const given = JSON.stringify([message?.headers['vialbook-signature'], message?.body, secret]);
  const checks = [
    'import json, sys',
    'header, body, secret = json.loads(sys.argv[1])',
    'at = int(header[2:header.index(",")])',
    'ask = lambda h, b, s, now: is_from_vialbook(h, b.encode(), s, now)',
    'print([ask(header, body, secret, at), ask(header, body + " ", secret, at), ask(header, body, "no", at),',
    '  ask(header, body, secret, at + 301), ask(None, body, secret, at)])',
  ];
  const code = `${codeOf('python')}\n${checks.join('\n')}\n`;
  const { stdout, stderr, error } = spawnSync('python3', ['-c', code, given], { encoding: 'utf8' });
  // Skipped on machines without Python.
  if (error !== undefined) return expect((error as NodeJS.ErrnoException).code).toBe('ENOENT');
  expect([stdout.trim(), stderr]).toEqual(['[True, False, False, False, False]', '']);
});
