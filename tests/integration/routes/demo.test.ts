import { beforeAll, expect, it } from 'vitest';
import { demoEnd, DEMO_MESSAGES, MAX_DEMOS } from '#app/domain/demo/demo.ts';
import { ACCESS_MESSAGES } from '#app/domain/messages.ts';
import { demoAddress } from '#app/domain/accounts/account.ts';
import { runCli } from '#tests/support/cli.ts';
import { sized } from '#tests/support/size.ts';
import { besideServer } from '#tests/support/someone.ts';
import { alerts, elements, htmlFaults, screenOf, visibleText } from '#tests/support/html.ts';
import { useOwnWeb } from './web.ts';
import type { WebClient } from './web-client.ts';

/** Demos are limited for the whole server and for each client. */
const web = useOwnWeb({ RATE_LIMIT_FACTOR: '1' });

/** The address that a GET form's first button requests. */
function addressOfForm(form: Element, at: string): string[] {
  if ((form.getAttribute('method') ?? 'get') !== 'get') return [];
  const search = new URLSearchParams();
  const add = (control: Element, value: string | null | undefined) => {
    const name = control.getAttribute('name');
    if (name !== null) search.append(name, value ?? '');
  };
  for (const input of form.querySelectorAll('input')) {
    const isChoice = ['radio', 'checkbox'].includes(input.getAttribute('type') ?? '');
    if (!isChoice || input.hasAttribute('checked')) add(input, input.getAttribute('value'));
  }
  for (const select of form.querySelectorAll('select')) {
    const chosen = select.querySelector('option[selected]') ?? select.querySelector('option');
    add(select, chosen?.getAttribute('value'));
  }
  const path = form.getAttribute('action') ?? new URL(at, web.url).pathname;
  return [`${path.split('?')[0]}?${search.toString()}`];
}

/** Every address of this site that a page leads to without changing anything. */
function addressesOn(body: string, at: string): string[] {
  const links = elements(body, 'a[href]').map((link) => link.getAttribute('href') ?? '');
  const forms = elements(body, 'form').flatMap((form) => addressOfForm(form, at));
  return [...links, ...forms].flatMap((href) => {
    const url = new URL(href, new URL(at, web.url));
    return url.origin === web.url && !href.startsWith('#') ? [url.pathname + url.search] : [];
  });
}

/** Every page links to itself with the list of its keys. */
const HELP = /[?&]help=/;

/** What kind of page an address leads to: ids, days and figures are like one another, and so are searches of a page. */
function kindOf(address: string): string {
  const { pathname, search } = new URL(address, web.url);
  const path = pathname.replace(/\/(?:[a-z]+_[\w:.-]+|[\w-]*\d[\w:.-]*)/g, '/…');
  if (HELP.test(search)) return `${path}?help`;
  return search === '' ? path : `${path}?`;
}

/** Forms that nobody sends as they are: what is missing, or does not change anything, is said at them. */
const TO_FILL_IN = /^\/(?:dashboard\/)?calculator\?|\/swap\?|\/move\?/;

const saysWhatIsWrong = (body: string): boolean => /aria-invalid="true"|role="alert"/.test(body);

/** Pages that would send something from the server, or need a password, say so instead of showing their form. */
const LEAVES = /^\/dashboard\/profile\/(?:email|webhooks\/new|tokens\/new)$/;

/** So many pages of a kind are opened: a year has hundreds of doses, and a calendar has no end. */
function most(address: string): number {
  if (HELP.test(address)) return sized(1, 2);
  return address.includes('?') ? 4 : 2;
}

async function crawl(client: WebClient, start: string): Promise<{ seen: string[]; broken: string[] }> {
  const [queue, broken, seen] = [[start], [] as string[], new Set<string>()];
  const kinds = new Map<string, number>();
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    const count = kinds.get(kindOf(address)) ?? 0;
    if (seen.has(address) || count >= most(address)) continue;
    seen.add(address);
    kinds.set(kindOf(address), count + 1);
    const { status, location, body, headers } = await client.get(address);
    if (location !== null && status < 400) queue.push(location);
    else if (status === 400 && TO_FILL_IN.test(address) && saysWhatIsWrong(body)) continue;
    else if (status === 403 && LEAVES.test(address) && visibleText(body).includes(ACCESS_MESSAGES.notInDemo))
      continue;
    else if (status !== 200) broken.push(`${status} ${address}`);
    else if (headers['content-type']?.startsWith('text/html')) {
      queue.push(...addressesOn(body, address));
      broken.push(...htmlFaults(body).map((fault) => `${fault} at ${address}`));
    }
  }
  return { seen: [...seen], broken };
}

async function begin(): Promise<WebClient> {
  const client = web.visitor();
  const answer = await client.post('/demo', { timeZone: 'Europe/Berlin' });
  expect([answer.status, answer.location], visibleText(answer.body)).toEqual([302, '/dashboard']);
  return client;
}

/** One address can begin five demos an hour. */
let client: WebClient;
beforeAll(async () => {
  client = await begin();
});

it('what a demo lacks is offered with an account of one’s own', async () => {
  const { status, body } = await client.get('/dashboard/profile/tokens/new');
  expect([status, screenOf(body).getByRole('heading', { level: 1 }).textContent]).toEqual([
    403,
    'Not available in the demo',
  ]);
  const link = screenOf(body).getByRole('link', { name: 'Create an account' });
  expect(link.getAttribute('href')).toBe('/register');
  expect(visibleText(body)).not.toMatch(/Request failed|Try Again/);
});

it('a demo has no dead links, empty searches or invalid HTML, and its database is consistent', async () => {
  const { seen, broken } = await crawl(client, '/dashboard');
  expect(broken).toEqual([]);
  expect(seen.length).toBeGreaterThan(120);
  for (const area of ['vials', 'lots', 'schedule', 'tracking', 'analytics', 'vendors', 'profile', 'export'])
    expect(seen.some((address) => address.startsWith(`/dashboard/${area}`))).toBe(true);
  // What the demo refuses is said where it was asked for.
  const link = await client.post('/dashboard/schedule/calendar-feed', { intent: 'link', privacy: 'full' });
  expect([link.status, alerts(link.body)]).toEqual([403, [ACCESS_MESSAGES.notInDemo]]);
  const verified = await runCli(['db', 'verify'], { env: { DATA_DIR: web.dataDir } });
  expect(verified.stdout).toMatch(/^No problems: /);
  expect(verified.code).toBe(0);
}, 600_000);

it('visitors learn when all demos are in use or they started too many, and can still register', async () => {
  const { repos } = await besideServer(web.dataDir);
  const now = new Date();
  const ids = Array.from({ length: MAX_DEMOS - 1 }, (_, index) => `full-${index + 1}`);
  const create = (id: string) =>
    repos.users.create({
      ...{ id, email: demoAddress(id), passwordHash: 'x', role: 'user', timeZone: 'UTC', createdAt: now },
      deleteAfter: demoEnd(now),
    });
  await Promise.all(ids.map(create));
  const full = await web.visitor().post('/demo');
  expect([full.status, alerts(full.body)]).toEqual([429, [DEMO_MESSAGES.full]]);
  // Two hundred demos of a day each: one of them ends every seven minutes or so.
  expect(full.headers['retry-after']).toBe('432');
  expect(full.body).toContain('href="/register?plan=trial"');
  let answer = full;
  for (let count = 2; count < 5; count += 1) answer = await web.visitor().post('/demo');
  expect([answer.status, alerts(answer.body)]).toEqual([429, [DEMO_MESSAGES.full]]);
  const tooMany = await web.visitor().post('/demo');
  expect(tooMany.status).toBe(429);
  expect(Number(tooMany.headers['retry-after'])).toBeGreaterThan(0);
  expect(alerts(tooMany.body).join()).toMatch(/Too many .+\./);
  expect(tooMany.body).toContain('href="/register?plan=trial"');
  expect(visibleText(tooMany.body)).toContain('Back to the calculator');
});
