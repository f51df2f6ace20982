import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WEBHOOK_MESSAGES } from '#app/domain/webhooks/webhook.ts';
import { listWebhooks, createWebhook, updateWebhook } from '#app/features/webhooks/webhooks.server.ts';
import { setNtfyTopic } from '#app/features/reminders/ntfy.server.ts';
import { createResolve } from '#app/integrations/name-lookup.server.ts';
import { createOutgoingPosts } from '#app/integrations/outgoing.server.ts';
import type { EndpointRule } from '#app/integrations/public-address.server.ts';
import { createPushSender, makeVapidKeys } from '#app/integrations/push.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { startNameServer, type NameServer } from '#tests/support/name-server.ts';
import { codeOf, fieldsOf } from '#tests/support/outcomes.ts';
import { newPerson } from '#tests/support/people.ts';
import { startWebhookHost } from '#tests/support/webhook-host.ts';

/** A real name server, which never answers for names under `slow.example`. */
let db: TestDatabase;
let names: NameServer;
let rule: EndpointRule;
beforeAll(async () => {
  db = await openTestDatabase();
  names = await startNameServer((name) => {
    if (name.endsWith('slow.example')) return 'silent';
    if (name === 'inside.example') return '10.0.0.8';
    return name === 'public.example' ? '127.0.0.1' : 'missing';
  });
  rule = {
    protocols: ['http:'],
    isAllowed: (address) => address === '127.0.0.1',
    resolve: createResolve([names.address]),
  };
});
afterAll(async () => {
  await names.close();
  await db.dispose();
});

let count = 0;
async function someone() {
  const { ctx, signedIn } = await newPerson(db, `names-${(count += 1)}@example.org`, { plan: 'trial' });
  return { id: signedIn.user.id, ctx: { ...ctx, outgoing: createOutgoingPosts({ rule }) } };
}
const hookTo = (url: string) => ({ url, events: ['dose.due' as const] });

describe('the name of an outgoing address', () => {
  // A machine that is busy for three seconds may have refused the first name before it got to the others.
  it(
    'is refused when its server does not answer, one after the other, while others are looked up',
    { retry: 3 },
    async () => {
      names.queries.length = 0;
      const [slow, other] = [await someone(), await someone()];
      const refused: string[] = [];
      const hung = ['a', 'b'].map(async (part) => {
        const call = createWebhook(slow.ctx, hookTo(`http://${part}.slow.example/x`));
        expect(Object.keys(await fieldsOf(call))).toEqual(['url']);
        refused.push(part);
      });
      // The other account's names are answered while those of the first still wait.
      const host = await startWebhookHost((_message, response) => void response.writeHead(204).end());
      const endpoint = `http://public.example:${host.port}/x`;
      expect(await codeOf(createWebhook(other.ctx, hookTo(endpoint)))).toBe('done');
      const post = { account: other.id, endpoint, headers: {}, body: '{}' };
      expect(await other.ctx.outgoing.post(post)).toEqual({ isTaken: true, status: 204 });
      const keys = await makeVapidKeys();
      const push = createPushSender({
        keys: () => Promise.resolve(keys),
        subject: 'mailto:a@example.org',
        rule,
      });
      expect(await push.accepts(other.id, endpoint)).toBe(true);
      expect(refused).toEqual([]);
      expect(names.queries).toContain('public.example');
      expect(names.queries.filter((name) => name === 'b.slow.example')).toEqual([]);
      await Promise.all(hung);
      await host.close();
      expect(await listWebhooks(slow.ctx)).toEqual([]);
      const topic = setNtfyTopic(slow.ctx, { url: 'http://slow.example/topic' });
      expect(Object.keys(await fieldsOf(topic))).toEqual(['url']);
      expect(await db.repos.ntfyTopics.find(slow.id)).toBeNull();
    },
  );

  it.each(['localhost', 'a.localhost', 'LOCALHOST.', 'nas', 'nas.local', 'db.internal', 'tv.home.arpa'])(
    'is refused without asking anybody if it is private by itself: %s',
    async (host) => {
      const { ctx } = await someone();
      const before = names.queries.length;
      expect(Object.keys(await fieldsOf(createWebhook(ctx, hookTo(`http://${host}/x`))))).toEqual(['url']);
      expect(names.queries).toHaveLength(before);
    },
  );

  it('is refused if it leads to a private address, or does not exist', async () => {
    const { ctx, id } = await someone();
    expect(Object.keys(await fieldsOf(createWebhook(ctx, hookTo('http://inside.example/x'))))).toEqual([
      'url',
    ]);
    const missing = createWebhook(ctx, hookTo('http://missing.example/x'));
    expect(await fieldsOf(missing)).toEqual({ url: [WEBHOOK_MESSAGES.unresolved] });
    const { webhook } = await createWebhook(ctx, hookTo('http://public.example/x'));
    const moved = updateWebhook(ctx, webhook.id, { url: 'http://missing.example/x' });
    expect(Object.keys(await fieldsOf(moved))).toEqual(['url']);
    const post = { account: id, endpoint: 'http://missing.example/x', headers: {}, body: '{}' };
    expect(await ctx.outgoing.post(post)).toMatchObject({ isTaken: false, status: null });
  });

  it('is not looked up for a sixth webhook', async () => {
    const { ctx } = await someone();
    for (let hook = 0; hook < 5; hook += 1) await createWebhook(ctx, hookTo('http://public.example/x'));
    const before = names.queries.length;
    expect(await codeOf(createWebhook(ctx, hookTo('http://public.example/x')))).toBe('LIMIT_REACHED');
    expect(names.queries).toHaveLength(before);
  });
});
