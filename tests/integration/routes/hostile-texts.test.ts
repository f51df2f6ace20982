import ICAL from 'ical.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { announce } from '#app/features/system/announcements.server.ts';
import { calendarFile } from '#app/integrations/calendar.server.ts';
import { Authenticator } from '#tests/support/authenticator.ts';
import type { Schema } from '#tests/support/json-schema-arbitrary.ts';
import { PASSWORD } from '#tests/support/people.ts';
import type { ApiClient } from '../api/client.ts';
import { addressOf, CALLS, resolved, type DocumentedCall } from '../api/document.ts';
import { SAMPLES } from '../api/samples/index.ts';
import type { Request } from '../api/samples/sample.ts';
import { useApi } from '../api/world.ts';
import { ACCESS } from './access-table.ts';
import { expectSound } from './answers.ts';
import { WebClient, type Answer } from './web-client.ts';

/**
 * A text that looks like a tag, the end of a script, a calendar line and a PDF command is entered in every text field; then
 * every page and file that shows it is checked, for its owner, for anyone with a link, and for administrators.
 */
const world = useApi();

const TAG = '<x-planted';
const TEXT = `"'>${TAG} on=1></script>)/JS(1)\\;`;

/** The free texts of a call's body, by their names. */
function textFieldsOf(call: DocumentedCall): string[] {
  const content = call.requestBody?.['content'] as Record<string, { schema: Schema }> | undefined;
  const schema = resolved(content?.['application/json']?.schema ?? {}) as Schema;
  return Object.entries(schema.properties ?? {})
    .filter(([name, field]) => isFreeText(field as Schema) && !/Ids?$/.test(name))
    .map(([name]) => name);
}

function isFreeText(field: Schema): boolean {
  const kinds = [field, ...((field['anyOf'] ?? []) as Schema[])];
  return kinds.some(
    (kind) =>
      [kind['type']].flat().includes('string') &&
      !['enum', 'const', 'format', 'pattern'].some((name) => name in kind) &&
      Number(kind['maxLength'] ?? 1000) >= TEXT.length,
  );
}

/** Calls that took the text. */
const planted = new Set<string>();

/** Sends what makes one thing, with the text in every field of it that takes it. */
async function plant(owner: ApiClient, call: DocumentedCall): Promise<void> {
  const prepare = async () => (await SAMPLES[call.operationId]?.prepare?.(owner, world)) ?? {};
  /** What no call has changed yet. */
  let unused: Request | undefined = await prepare();
  const { params, body, file, ...request } = unused;
  if (file !== undefined) {
    await owner.call(call.method, addressOf(call, params), { ...request, file: { ...file, name: TEXT } });
    return;
  }
  const send = async (fields: readonly string[]) => {
    const of = unused ?? (await prepare());
    const sent = { ...(of.body as object), ...Object.fromEntries(fields.map((field) => [field, TEXT])) };
    const answer = await owner.call(call.method, addressOf(call, of.params), { ...request, body: sent });
    unused = answer.status >= 400 ? of : undefined;
    return answer;
  };
  if (body === undefined) return;
  const isTaken = async (fields: readonly string[]) => {
    const { status, text } = await send(fields);
    return status < 300 && text.includes(TAG);
  };
  const fields = textFieldsOf(call);
  if (fields.length === 0) return;
  if (await isTaken(fields)) {
    planted.add(call.operationId);
    return;
  }
  // Some are no free text after all, though the document does not say so.
  const taken: string[] = [];
  for (const field of fields) if (await isTaken([field])) taken.push(field);
  if (taken.length > 0 && (await isTaken(taken))) planted.add(call.operationId);
}

/** Addresses that stand in a page, as a reader would follow them. */
function linksOf({ body }: Answer): string[] {
  const decoded = (text: string) =>
    text
      .replace(/&amp;/g, '&')
      .replace(/&#x27;/g, "'")
      .replace(/&quot;/g, '"');
  return [...body.matchAll(/<[a-z][^>]*?\s(?:href|src|action|formaction)="([^"]*)"/gi)].map(
    ([, address = '']) => decoded(address),
  );
}

/** What a page is of: its path without ids. */
const kindOf = (address: string): string =>
  new URL(address, 'http://x').pathname.replace(/\/[^/]*[_\d][^/]*(?=\/|$)/g, '/:id');

const LEFT_OUT =
  /^\/(logout|api\/|build\/|assets\/|fonts\/|icons\/|admin\/login)|\.(js|css|png|svg|woff2|webmanifest|ico)$/;

/** What was seen on the way through the pages of somebody. */
interface Seen {
  opened: Map<string, Answer>;
  /** Kinds of pages that show the text. */
  showing: Set<string>;
}

/** Opens the addresses, and one page of each other kind in that part of the site that they lead to. */
async function walk(client: WebClient, starts: readonly string[], part = '/'): Promise<Seen> {
  const opened = new Map<string, Answer>();
  const showing = new Set<string>();
  const kinds = new Set<string>();
  const waiting = [...starts];
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    const address = at.split('#', 1)[0] ?? '';
    const kind = kindOf(address);
    const isKnown = kinds.has(kind) && !starts.includes(at);
    if (isKnown || opened.has(address) || LEFT_OUT.test(address) || !address.startsWith(part)) continue;
    kinds.add(kind);
    const answer = await client.get(address);
    opened.set(address, answer);
    expectSound(answer, address);
    if (answer.location?.startsWith('/')) waiting.push(answer.location);
    if (!answer.headers['content-type']?.startsWith('text/html')) continue;
    const { pathname } = new URL(address, 'http://x');
    expect(answer.body.toLowerCase(), address).not.toContain(TAG);
    if (answer.body.includes('x-planted')) showing.add(kind);
    for (const link of linksOf(answer)) {
      // A fragment of the page, an address of this site, one that people typed and that is of the web.
      // A canonical address is the site's own, here without TLS.
      expect(link.replace(world.web.url, ''), address).toMatch(
        /^(#|\?|\/(?!\/)|https:\/\/|mailto:|data:image\/|$)/,
      );
      if (link.startsWith('/') && !link.startsWith('//')) waiting.push(link);
      if (link.startsWith('?')) waiting.push(pathname + link);
    }
  }
  return { opened, showing };
}

/** Every address of the application, but those that name something which nobody has. */
const ADDRESSES = Object.values(ACCESS)
  .flat()
  .map(({ at }) => at.replace('?index', ''))
  .filter((at) => !/[/_]none(?![a-z])/.test(at));

/** The browser of somebody of the API. */
async function browserOf({ token }: ApiClient): Promise<WebClient> {
  const client = new WebClient(world.web.url);
  await client.keepSession(token ?? '', 'none');
  return client;
}

let client: WebClient;
let links: { share: string; calendar: string };

beforeAll(async () => {
  const owner = await world.premium();
  client = await browserOf(owner);
  const makers = CALLS.filter(
    ({ method, operationId, 'x-access': access }) =>
      // A change takes the same words as what it changes.
      (method === 'POST' || operationId === 'changeProfile' || /^(save|set)/.test(operationId)) &&
      !['public', 'admin'].includes(String(access)) &&
      !SAMPLES[operationId]?.altersOwner,
  );
  // What is new comes last, so that it is what lists lead to; schedules after the calls whose samples make some, and vials at
  // the very end, whose samples make room.
  const order = ({ path, operationId }: DocumentedCall) =>
    ({ createSchedule: 2, addCompound: 3 })[operationId] ?? (path.includes('{') ? 0 : 1);
  for (const call of makers.toSorted((one, other) => order(one) - order(other))) await plant(owner, call);
  const send = async (at: string, form: Record<string, string>) => {
    const answer = await client.post(at, form);
    expect(answer.status, `${at}: ${answer.body.slice(0, 300)}`).toBeLessThan(400);
    return answer;
  };
  await send('/dashboard/profile', { name: TEXT, timeZone: 'UTC' });
  await send('/dashboard/profile/tokens/new', { name: TEXT, scope: 'read', life: '30' });
  const { body: options } = await send('/passkey/options', { use: 'add' });
  const device = new Authenticator(world.web.url);
  const passkey = device.make(JSON.parse(options) as Parameters<Authenticator['make']>[0]);
  await send('/dashboard/profile/passkeys/new', { name: TEXT, passkey });
  const period = { start: '2026-01-01', end: '2026-03-31' };
  const shared = await send('/dashboard/analytics/report/shares', { ...period, days: '7', label: TEXT });
  const feed = await send('/dashboard/schedule/calendar-feed', { intent: 'link', privacy: 'full' });
  links = {
    share: /\/share\/[A-Za-z0-9_-]{43}/.exec(shared.body)?.[0] ?? expect.unreachable('no report'),
    calendar: /\/calendar\/[A-Za-z0-9_-]{43}\.ics/.exec(feed.body)?.[0] ?? expect.unreachable('no feed'),
  };
});

/** One call for each kind of thing with words of its owner's. */
const KINDS = [
  'addCompound',
  'addLot',
  'addMeasurement',
  'addOrder',
  'addProduct',
  'addSideEffect',
  'addSideEffectTemplate',
  'addSupplier',
  'changeProfile',
  'createSchedule',
  'logDose',
  'logInjectionSite',
  'saveCalculation',
  'saveNutrition',
  'setCeiling',
];

it('is accepted by every record with texts', () => {
  expect([...planted].toSorted()).toEqual(expect.arrayContaining(KINDS));
});

/** All that a calendar of ours has, and nothing that a line of somebody's adds. */
const EVENT = ['description', 'dtend', 'dtstamp', 'dtstart', 'sequence', 'summary', 'uid', 'vevent'];

describe('hostile text', () => {
  it('is shown as plain text on every page of its owner, and its files download as files', async () => {
    const { opened, showing } = await walk(client, ['/dashboard/calculator?history=1', ...ADDRESSES]);
    expect([...showing].toSorted()).toEqual(
      expect.arrayContaining([
        '/dashboard/analytics/report/print',
        '/dashboard/calculations/:id/delete',
        '/dashboard/calculator',
        '/dashboard/ceilings',
        '/dashboard/export/print',
        '/dashboard/import/:id',
        '/dashboard/lots/:id',
        '/dashboard/profile',
        '/dashboard/profile/passkeys/:id/remove',
        '/dashboard/profile/tokens/:id/revoke',
        '/dashboard/schedule/:id',
        '/dashboard/tracking/health/:id',
        '/dashboard/tracking/nutrition',
        '/dashboard/tracking/side-effects/:id',
        '/dashboard/tracking/sites/:id',
        '/dashboard/vendors/orders/:id/papers',
        '/dashboard/vendors/suppliers/:id',
        '/dashboard/vials/:id/card',
        '/dashboard/vials/:id/label',
      ]),
    );
    expect(showing.size).toBeGreaterThan(60);
    const files = [...opened].filter(
      ([, { headers, status }]) => status === 200 && !headers['content-type']?.startsWith('text/html'),
    );
    for (const [at, { headers }] of files) expect(headers['x-content-type-options'], at).toBe('nosniff');
    expect(files.length).toBeGreaterThan(3);
  });

  it.each([
    '/dashboard/export/file?format=pdf&types=calculations&types=compounds',
    '/dashboard/analytics/report/file?start=2026-01-01&end=2026-03-31',
  ])('is words in the PDF %s', async (at) => {
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(world.web.url + at, { headers: { cookie } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const objects = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    expect(objects).toContain('/Type /Catalog');
    expect(objects).not.toMatch(/\/(?:JavaScript|JS|Launch|SubmitForm|URI|GoToR|GoToE|Rendition|ObjStm)\b/);
  });

  it('is shown as plain text to anyone with a link', async () => {
    const { showing } = await walk(world.web.visitor(), [links.share], '/share');
    expect([...showing]).toEqual(['/share/:id']);
  });

  it('is shown as plain text on the page that restores a form after the session ended', async () => {
    const person = await world.web.user();
    person.cookies.delete('vialbook_session');
    const sent = await person.post('/dashboard/vials/new', { name: TEXT, [TEXT]: TEXT });
    expect([sent.status, sent.location]).toEqual([302, expect.stringContaining('/login')]);
    await person.post('/login', { email: person.email, password: PASSWORD });
    const { status, body } = await person.get('/dashboard/finish');
    expect([status, body.includes('x-planted'), body.toLowerCase().includes(TAG)]).toEqual([
      200,
      true,
      false,
    ]);
  });

  it('is plain text in a calendar', async () => {
    const { body } = await client.get(links.calendar);
    expect(body.replace(/\r\n /g, '')).toContain('x-planted');
    const lines = `a\r\nATTACH:https://evil.example\nEND:VEVENT\u2028BEGIN:VALARM`;
    const at = new Date('2026-01-05T08:00:00Z');
    const event = {
      id: 'one',
      start: at,
      end: at,
      stamp: at,
      summary: lines,
      description: `${TEXT}${lines}`,
      isCancelled: false,
      alarmMinutes: null,
    };
    const made = await calendarFile({ events: [event], host: 'vialbook.example', timeZone: 'UTC' });
    for (const file of [body, made]) {
      const calendar = new ICAL.Component(ICAL.parse(file) as object[]);
      const events = calendar.getAllSubcomponents();
      const names = new Set(
        events.flatMap((one) => [one.name, ...one.getAllProperties().map(({ name }) => name)]),
      );
      expect([...names].toSorted()).toEqual(EVENT);
    }
  });

  it('is shown as plain text to an administrator', async () => {
    const admin = await world.admin();
    const { body } = await (await world.free()).get('/api/auth/me');
    const { id } = body.data?.['user'] as { id: string };
    const words = { title: TEXT, text: TEXT, audience: 'all', isDismissible: true } as const;
    await announce(world.terminal(), words);
    await admin.patch(`/api/admin/users/${id}/status`, { action: 'suspend', reason: TEXT });
    const starts = ADDRESSES.filter((at) => at.startsWith('/admin'));
    const { showing } = await walk(await world.web.admin('super_admin'), starts, '/admin');
    expect([...showing]).toEqual(
      expect.arrayContaining(['/admin/dashboard/audit', '/admin/dashboard/system/announcements']),
    );
  });
});
