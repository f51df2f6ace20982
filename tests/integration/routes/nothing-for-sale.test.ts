import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillDemo } from '#app/features/demo/index.server.ts';
import { openTestDatabase, TERMINAL } from '#tests/support/database.ts';
import { elements, visibleText } from '#tests/support/html.ts';
import type { AccessRow } from './access-rows.ts';
import { ACCESS } from './access-table.ts';
import { toolsOf } from '#app/platform/mcp/tools.ts';
import { OPERATIONS } from '#app/server/operations.server.ts';
import { runCli } from '#tests/support/cli.ts';
import { isAboutSelling } from '#app/platform/http/addresses.ts';
import type { WebClient } from './web-client.ts';
import { confirmLink, registerForm, useOwnWeb } from './web.ts';

const web = useOwnWeb({ BILLING: 'off' });

/** Words of a shop. A product bought from a supplier has a price, too, so that alone is none. */
const FOR_SALE =
  /\b(premium|pro|pro only|trials?|upgrade|downgrade|pricing|referrals?|revenue|subscriptions?|billing|free plan|your plan|payments?|checkout|stripe|past due)\b|\$(?:5|30)\b/gi;

/** The documentation of the API describes every server. */
const OF_ALL_SERVERS = /^\/api\/(?:docs|openapi)/;

/** A page, not a file that a person made. */
const isPage = (headers: Record<string, unknown>) => String(headers['content-type']).includes('text/html');

/** What a page shows, also to those who hear it or look at the tab. */
function shownText(html: string): string {
  const spoken = [...html.matchAll(/\s(?:aria-label|title|placeholder|alt|content)="([^"]*)"/g)];
  const title = /<title>([^<]*)/.exec(html)?.[1] ?? '';
  return [visibleText(html), title, ...spoken.map(([, text]) => text)].join('\n');
}

/** The words of a shop on a page, each with what stands around it. */
function wordsForSale(html: string): string[] {
  const text = shownText(html);
  return [...text.matchAll(FOR_SALE)].map(({ index }) => text.slice(Math.max(0, index - 40), index + 40));
}

/** The addresses that a page links to, without what ends the session or what is for machines. */
function linksOf(html: string): string[] {
  return elements(html, 'a[href^="/"]')
    .map((link) => link.getAttribute('href')?.split('#')[0] ?? '')
    .filter((href) => !/^\/logout|\/file\b|^\/api\/|\.(?:json|xml|ics|csv)\b/.test(href));
}

/** An address without its ids and its query: one page of each kind is enough. */
const kindOf = (href: string) =>
  href.replace(/\?.*/, '').replace(/[0-9a-f]{24}|[a-z]+_[0-9A-Za-z]{8,64}/g, ':id');

/** Opens every address of the product, and every kind of page that one of them links to. */
async function walk(client: WebClient): Promise<Set<string>> {
  const found: Record<string, unknown> = {};
  const waiting = Object.values(ACCESS)
    .flat()
    .map(({ at }: AccessRow) => at)
    .filter((at) => !at.startsWith('/logout'));
  const seen = new Set<string>();
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    if (seen.has(kindOf(at)) || OF_ALL_SERVERS.test(at)) continue;
    seen.add(kindOf(at));
    const page = await client.get(at);
    if (isAboutSelling(at.split('?')[0] ?? '')) {
      if (page.status !== 404) found[at] = page.status;
      continue;
    }
    if (page.status >= 500) found[at] = page.status;
    if (!isPage(page.headers)) continue;
    const words = wordsForSale(page.body);
    if (words.length > 0) found[at] = words;
    waiting.push(...linksOf(page.body));
  }
  expect(found).toEqual({});
  return seen;
}

describe('on a server that sells nothing', () => {
  let person: WebClient & { email: string };
  beforeAll(async () => {
    person = await web.registered();
    const beside = await openTestDatabase({ directory: web.dataDir, env: { BILLING: 'off' } });
    await fillDemo(beside.ctx(TERMINAL), person.email);
    await beside.dispose();
  });

  it('no page shows a visitor a plan, a price or a trial', async () => {
    const seen = await walk(web.visitor());
    expect(seen.size).toBeGreaterThan(100);
  });

  it('no page shows a person one, and each opens for everybody who is signed in', async () => {
    const seen = await walk(person);
    expect(seen.size).toBeGreaterThan(200);
    for (const area of ['tracking', 'schedule', 'analytics', 'vendors', 'reminders', 'profile/webhooks'])
      expect((await person.get(`/dashboard/${area}`)).status, area).toBe(200);
  });

  it('no page shows an administrator one, nor revenue', async () => {
    await walk(await web.admin('super_admin'));
  });

  it('the API answers that everybody has everything, and has no calls about plans', async () => {
    const client = web.visitor();
    const send = (method: string, at: string, body: object, headers: Record<string, string> = {}) =>
      client.request(at, {
        method,
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      });
    const registration = { ...registerForm('program@example.org', { plan: 'trial', ref: 'NOBODY' }) };
    const registered = await send('POST', '/api/auth/register', {
      ...registration,
      agreeToTerms: true,
      ageVerification: true,
    });
    expect(registered.status, registered.body).toBe(201);
    const { data } = JSON.parse(registered.body) as { data: { token: string; user: object } };
    const everything = {
      subscription: 'premium',
      subscriptionStatus: 'active',
      trialDaysLeft: null,
      trialAvailable: false,
    };
    expect(data.user).toMatchObject(everything);
    const headers = { authorization: `Bearer ${data.token}` };
    expect((await client.get('/api/schedules', headers)).status).toBe(200);
    const calls = [
      ['POST', '/api/billing/trial'],
      ['POST', '/api/stripe/create-checkout-session'],
      ['POST', '/api/stripe/create-portal-session'],
      ['GET', '/api/referrals'],
      ['POST', '/api/referrals/code'],
      ['PATCH', '/api/admin/users/000000000000000000000000/subscription'],
      ['POST', '/webhooks/stripe'],
    ] as const;
    for (const [method, at] of calls) {
      const answer = method === 'GET' ? await client.get(at, headers) : await send(method, at, {}, headers);
      expect(answer.status, at).toBe(404);
    }
  });

  it('mails mention none of it', async () => {
    const client = await web.user({ email: 'mailed@example.org' });
    await confirmLink(web, client.email);
    await client.post('/dashboard/profile/delete', { email: client.email });
    const folder = path.join(web.dataDir, 'mail');
    await expect.poll(async () => (await readdir(folder)).length).toBeGreaterThan(1);
    for (const file of await readdir(folder)) {
      const text = (await readFile(path.join(folder, file), 'utf8')).replace(/=\r\n/g, '');
      expect(text.match(FOR_SALE), file).toBeNull();
    }
  });

  it('the terminal lists accounts without a plan and counts no revenue', async () => {
    const env = { DATA_DIR: web.dataDir, BILLING: 'off' };
    for (const args of [
      ['admin', 'stats'],
      ['admin', 'users'],
    ]) {
      const { code, stdout } = await runCli(args, { env });
      expect(code).toBe(0);
      expect(stdout.match(FOR_SALE), args.join(' ')).toBeNull();
    }
    const change = await runCli(['admin', 'downgrade', person.email, '--reason', 'none', '--yes'], { env });
    expect(change.code).not.toBe(0);
    expect(change.stderr).toContain('everything');
  });

  it('an assistant is offered no tool about plans, and none that says it needs one', () => {
    const ofSelling = [...toolsOf(OPERATIONS, true).keys()];
    const tools = toolsOf(OPERATIONS, false);
    expect(ofSelling.filter((name) => !tools.has(name)).toSorted()).toEqual([
      'getReferrals',
      'makeReferralCode',
      'startTrial',
    ]);
    const descriptions = [...tools.values()].map(({ listed }) => listed.description);
    expect(descriptions.filter((text) => /premium/i.test(text))).toEqual([]);
  });
});
