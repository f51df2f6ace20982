import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WEBHOOK_EVENTS } from '#app/domain/webhooks/webhook.ts';
import { markMissedDoses } from '#app/features/doses/dose-effects.server.ts';
import { logDose, missDose, skipDose, takeDose, undoDose } from '#app/features/doses/doses.server.ts';
import { deliverReminders } from '#app/features/reminders/deliveries.server.ts';
import { remindOfDoses } from '#app/features/reminders/dose-reminders.server.ts';
import { listReminders } from '#app/features/reminders/reminders.server.ts';
import { remindOfStock } from '#app/features/reminders/stock-reminders.server.ts';
import { DOSE_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import { prepareExport } from '#app/features/export/export.server.ts';
import { textOf } from '#tests/support/streams.ts';
import { runImport, undoImport } from '#app/features/import/import.server.ts';
import { listLots, updateLot } from '#app/features/lots/index.server.ts';
import {
  acceptProposal,
  declineAllProposals,
  declineProposal,
  propose,
} from '#app/features/proposals/index.server.ts';
import {
  addSideEffect,
  addSideEffectImage,
  deleteSideEffect,
  deleteSideEffectImage,
  updateSideEffect,
} from '#app/features/tracking/side-effects/side-effects.server.ts';
import { addVial, deleteVial, discardVial, updateVial } from '#app/features/vials/vials.server.ts';
import { OPERATIONS } from '#app/server/operations.server.ts';
import { picture } from '#tests/support/pictures.ts';
import {
  deliverWebhooks,
  listWebhookDeliveries,
  sendAgain,
  sendTestEvent,
} from '#app/features/webhooks/webhook-deliveries.server.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '#app/features/webhooks/webhooks.server.ts';
import { createOutgoingPosts } from '#app/integrations/outgoing.server.ts';
import { updateNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { WORKER } from '#app/server/worker.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { freshNoon, pendingDose } from '#tests/support/pending-doses.ts';
import { newPerson } from '#tests/support/people.ts';
import { LOOPBACK_RULE } from '#tests/support/push-host.ts';
import {
  isSigned,
  isStandard,
  startWebhookHost,
  type HookAnswer,
  type WebhookHost,
} from '#tests/support/webhook-host.ts';
import type { Repositories } from '#models/index.server.ts';
import { reposOf } from '#tests/support/repositories.ts';

const HOUR = 3_600_000;
const take: HookAnswer = (_message, response) => void response.writeHead(204).end();
let db: TestDatabase;
let host: WebhookHost;
let answer: HookAnswer;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());
beforeEach(async () => {
  answer = take;
  host = await startWebhookHost((message, response) => answer(message, response));
  await freshNoon(db);
});
afterEach(() => host.close());

let count = 0;
const worker = () => db.ctx(WORKER.actor);
const dayOf = (days: number) =>
  new Date(db.clock.now().getTime() + days * 24 * HOUR).toISOString().slice(0, 10);

/** A user with a receiver and one due dose. */
async function hooked(events: readonly (typeof WEBHOOK_EVENTS)[number][] = WEBHOOK_EVENTS) {
  const name = `hooked-${(count += 1)}`;
  const person = await newPerson(db, `${name}@example.org`, { plan: 'trial' });
  const id = person.signedIn.user.id;
  const { webhook, secret } = await createWebhook(person.ctx, { url: host.url(name), events: [...events] });
  const doseId = `dose_${name}`;
  await db.repos.doses.createMany(id, [pendingDose(doseId, db.clock.now())]);
  return { ...person, id, doseId, webhook, secret };
}

const listOf = ({ ctx, webhook }: Awaited<ReturnType<typeof hooked>>) =>
  listWebhookDeliveries(ctx, webhook.id);

/** Runs the worker for a number of hours, every quarter of an hour. */
async function workFor(hours: number, ctx = worker()): Promise<void> {
  for (let at = 0; at < hours; at += 0.25) {
    await deliverWebhooks(ctx);
    db.clock.advance(HOUR / 4);
  }
}

describe('a webhook', () => {
  it('receives one signed message when a dose is due', async () => {
    const person = await hooked();
    await Promise.all([remindOfDoses(worker()), remindOfDoses(worker())]);
    await Promise.all([1, 2, 3, 4].map(() => deliverWebhooks(worker())));
    db.clock.advance(31 * 60_000);
    // When the dose becomes overdue, no second event is sent.
    await remindOfDoses(worker());
    await deliverWebhooks(worker());
    expect(host.received).toHaveLength(1);
    const [message] = host.received;
    expect(message?.headers['content-type']).toBe('application/json');
    expect(message && isSigned(message, person.secret)).toBe(true);
    expect(message && isStandard(message, person.secret)).toBe(true);
    expect(message && isStandard(message, `whsec_${'A'.repeat(43)}=`)).toBe(false);
    expect(message?.event).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/) as string,
      type: 'dose.due',
      createdAt: new Date(db.clock.now().getTime() - 31 * 60_000).toISOString(),
      data: {
        doseId: person.doseId,
        scheduleId: 'sched_test',
        dueDate: message?.event.createdAt,
        name: 'BPC-157',
        doseAmount: 250,
        doseUnit: 'mcg',
      },
    });
    expect(await listOf(person)).toMatchObject([
      { type: 'dose.due', state: 'sent', status: 204, attempts: 1 },
    ]);
  });

  it('receives events about taken and missed doses and about stock', async () => {
    const person = await hooked(['dose.taken', 'dose.missed', 'stock.low', 'vial.expiring']);
    await takeDose(person.ctx, person.doseId, { confirmed: [] });
    await undoDose(person.ctx, person.doseId);
    await takeDose(person.ctx, person.doseId, { actualDose: '300', confirmed: [] });
    const due = new Date(db.clock.now().getTime() - 25 * HOUR);
    await db.repos.doses.createMany(person.id, [
      pendingDose(`${person.doseId}_late`, due, { remindAt: null }),
      pendingDose(`${person.doseId}_left`, db.clock.now(), { remindAt: null }),
    ]);
    await markMissedDoses(worker());
    await missDose(person.ctx, `${person.doseId}_left`);
    const expirationDate = new Date(db.clock.now().getTime() + 72 * HOUR).toISOString().slice(0, 10);
    await addVial(person.ctx, { name: 'TB-500', concentration: '2.5', totalAmount: '5', expirationDate });
    db.clock.advance(HOUR);
    await remindOfStock(worker());
    db.clock.advance(HOUR);
    await remindOfStock(worker());
    await deliverWebhooks(worker());
    const told = host.received.map(({ event: { type, data } }) => [
      type,
      data['doseId'] ?? data['name'],
      data,
    ]);
    expect(told).toHaveLength(5);
    expect(told).toEqual(
      expect.arrayContaining([
        ['dose.taken', person.doseId, expect.objectContaining({ actualDose: 250 }) as object],
        ['dose.taken', person.doseId, expect.objectContaining({ actualDose: 300 }) as object],
        [
          'dose.missed',
          `${person.doseId}_late`,
          expect.objectContaining({ dueDate: due.toISOString() }) as object,
        ],
        ['dose.missed', `${person.doseId}_left`, expect.anything() as object],
        ['vial.expiring', 'TB-500', expect.objectContaining({ lastDay: expirationDate }) as object],
      ]),
    );
    expect(new Set(host.received.map(({ event }) => event.id)).size).toBe(5);
  });

  it('receives no names or amounts in discreet mode', async () => {
    const person = await hooked();
    await updateNotificationChoices(person.ctx, { discreet: true });
    await remindOfDoses(worker());
    await deliverWebhooks(worker());
    // Without ids, whose random digits may spell an amount.
    expect(host.received[0]?.body.replace(/[0-9a-f]{20,}/g, '')).not.toMatch(/BPC|250|mcg/);
    expect(host.received[0]?.event.data).toMatchObject({
      doseId: person.doseId,
      name: null,
      doseAmount: null,
    });
    await addVial(person.ctx, { name: 'TB-500', totalAmount: '5' });
    const startedAt = db.clock.now().toISOString();
    await addSideEffect(person.ctx, { name: 'Nausea', severity: 2, startedAt });
    await deliverWebhooks(worker());
    const [vial, effect] = host.received.slice(1).map(({ event }) => event.data);
    expect({ ...vial, ...effect }).toEqual({
      ...{ compoundId: expect.any(String) as string, status: 'sealed' },
      ...{ totalAmount: null, remainingAmount: null, amountUnit: null },
      ...{ sideEffectId: expect.any(String) as string, name: null, severity: null },
      ...{ startedAt, resolvedDate: null },
    });
  });

  it('receives only the events it subscribed to, and none once Premium has ended', async () => {
    const person = await hooked(['dose.taken']);
    await remindOfDoses(worker());
    expect(await listOf(person)).toEqual([]);
    await takeDose(person.ctx, person.doseId, { confirmed: [] });
    const stored = testConnection(db).collection('users');
    await stored.updateOne({ _id: person.id as never }, { $set: { trialEndsAt: db.clock.now() } });
    await deliverWebhooks(worker());
    expect(host.received).toEqual([]);
    expect(await listOf(person)).toMatchObject([{ state: 'dropped' }]);
    // Webhooks can still be viewed and deleted.
    const free = db.ctx({ ...person.signedIn, ...person.ctx.actor } as typeof person.ctx.actor);
    expect(await listWebhooks(free)).toHaveLength(1);
    await deleteWebhook(free, person.webhook.id);
    expect(await listWebhooks(free)).toEqual([]);
  });

  it('receives no missed event for a dose that is logged at that moment', async () => {
    const person = await hooked(['dose.missed', 'dose.taken']);
    const late = `${person.doseId}_late`;
    const due = new Date(db.clock.now().getTime() - 25 * HOUR);
    await db.repos.doses.createMany(person.id, [pendingDose(late, due, { remindAt: null })]);
    // The worker notices that it is missed, and its owner takes it before it is marked.
    const ctx = worker();
    const doses = {
      ...reposOf(ctx).doses,
      chooseMissed: async (...args: Parameters<Repositories['doses']['chooseMissed']>) => {
        const found = await reposOf(ctx).doses.chooseMissed(...args);
        if (found.length > 0) await takeDose(person.ctx, late, { confirmed: ['TOO_SOON'] });
        return found;
      },
    };
    expect(await markMissedDoses({ ...ctx, repos: ctx.repos.with({ doses }) })).toBe(0);
    await deliverWebhooks(worker());
    expect(host.received.map(({ event }) => event.type)).toEqual(['dose.taken']);
    expect((await listOf(person)).map(({ state }) => state)).toEqual(['sent']);
  });

  it('receives skipped doses, each change of a vial and of a side effect, and answers to proposals', async () => {
    const person = await hooked(WEBHOOK_EVENTS.filter((event) => event !== 'dose.due'));
    const { ctx } = person;
    const told = async () => {
      await deliverWebhooks(worker());
      return host.received.splice(0).map(({ event: { type, data } }) => ({ type, ...data }));
    };
    await skipDose(ctx, person.doseId);
    expect(await told()).toMatchObject([{ type: 'dose.skipped', doseId: person.doseId }]);

    const { id: compoundId } = await addVial(ctx, { name: 'TB-500', totalAmount: '5', lot: 'A-1' });
    const vial = { compoundId, name: 'TB-500', totalAmount: 5, amountUnit: 'mg' };
    expect(await told()).toEqual([{ type: 'vial.created', ...vial, status: 'sealed', remainingAmount: 5 }]);
    await updateVial(ctx, compoundId, { concentration: '2.5', reconstitutionDate: dayOf(0) });
    expect(await told()).toMatchObject([{ type: 'vial.updated', status: 'reconstituted' }]);
    await updateVial(ctx, compoundId, {});
    expect(await told()).toEqual([]);
    await logDose(ctx, { name: 'TB-500', actualDose: '0.25', confirmed: [...DOSE_WARNINGS] });
    expect(await told()).toEqual(
      expect.arrayContaining([
        { type: 'vial.updated', ...vial, status: 'in_use', remainingAmount: 4.75 },
        expect.objectContaining({ type: 'dose.taken' }),
      ]),
    );
    const [found] = (await listLots(ctx, { page: 1, limit: 1 })).lots;
    await updateLot(ctx, found?.lot.id ?? '', { number: 'A-2' });
    expect(await told()).toMatchObject([{ type: 'vial.updated', compoundId }]);
    await discardVial(ctx, compoundId);
    const finished = await told();
    expect(finished.map(({ type }) => type).toSorted()).toEqual(['vial.finished', 'vial.updated']);
    expect(finished).toContainEqual({
      type: 'vial.finished',
      ...vial,
      status: 'discarded',
      remainingAmount: 0,
    });
    await deleteVial(ctx, compoundId);
    expect(await told()).toMatchObject([{ type: 'vial.deleted', compoundId }]);

    const startedAt = db.clock.now().toISOString();
    const { id: sideEffectId } = await addSideEffect(ctx, { name: 'Nausea', severity: 2, startedAt });
    const effect = { sideEffectId, name: 'Nausea', severity: 2, startedAt, resolvedDate: null };
    expect(await told()).toEqual([{ type: 'side-effect.created', ...effect }]);
    await updateSideEffect(ctx, sideEffectId, { severity: 3 });
    expect(await told()).toEqual([{ type: 'side-effect.updated', ...effect, severity: 3 }]);
    const image = await addSideEffectImage(ctx, sideEffectId, await picture());
    expect(await told()).toMatchObject([{ type: 'side-effect.updated', sideEffectId }]);
    await deleteSideEffectImage(ctx, sideEffectId, image.id);
    expect(await told()).toMatchObject([{ type: 'side-effect.updated', sideEffectId }]);
    await deleteSideEffect(ctx, sideEffectId);
    expect(await told()).toMatchObject([{ type: 'side-effect.deleted', sideEffectId }]);

    const all = () => OPERATIONS;
    const operation = OPERATIONS.find(({ id }) => id === 'addSideEffect') ?? expect.unreachable();
    const proposed = (name: string) =>
      propose(ctx, all, operation, { params: {}, query: {}, body: { name, severity: 1, startedAt } });
    const proposals = [];
    for (const name of ['Rash', 'Fever', 'Cough']) proposals.push(await proposed(name));
    // An equal one is the one that is waiting already.
    await proposed('Rash');
    const [rash, fever, cough] = proposals.map(({ id: proposalId }) => ({
      proposalId,
      operation: 'addSideEffect',
      summary: operation.summary,
    }));
    const created = await told();
    expect(created).toHaveLength(3);
    for (const data of [rash, fever, cough])
      expect(created).toContainEqual({ type: 'proposal.created', ...data });
    const [first, second] = proposals;
    await acceptProposal(ctx, all, { id: first?.id ?? '', mark: first?.mark ?? '', confirm: false });
    expect(await told()).toEqual(
      expect.arrayContaining([
        { type: 'proposal.accepted', ...rash },
        expect.objectContaining({ type: 'side-effect.created', name: 'Rash' }),
      ]),
    );
    await declineProposal(ctx, all, second?.id ?? '');
    expect(await told()).toEqual([{ type: 'proposal.declined', ...fever }]);
    expect(await declineAllProposals(ctx)).toBe(1);
    expect(await told()).toEqual([{ type: 'proposal.declined', ...cough }]);
  });

  it('receives nothing about what an import adds, or removes when it is undone', async () => {
    const person = await hooked(['vial.created', 'vial.updated', 'vial.deleted', 'side-effect.created']);
    const other = await newPerson(db, `exports-${count}@example.org`, { plan: 'trial' });
    await addVial(other.ctx, { name: 'TB-500', totalAmount: '5' });
    const file = await prepareExport(other.ctx, {
      format: 'csv',
      types: ['compounds'],
      includeMetadata: false,
    });
    const bytes = new TextEncoder().encode(await textOf(file.open()));
    const { id, added } = await runImport(person.ctx, { bytes });
    expect(added).toEqual({ compounds: 1 });
    await undoImport(person.ctx, id);
    expect(await listOf(person)).toEqual([]);
  });

  it('is signed with both secrets for 24 hours after it was given a new one, unless the old one was ended', async () => {
    const person = await hooked();
    const { id } = person.webhook;
    const isSignedWith = async (...secrets: string[]) => {
      await sendTestEvent(person.ctx, id);
      const message = host.received.at(-1) ?? expect.unreachable();
      return secrets.map((secret) => isSigned(message, secret) && isStandard(message, secret));
    };
    const second = await rotateWebhookSecret(person.ctx, id);
    const third = await rotateWebhookSecret(person.ctx, id);
    expect(await isSignedWith(third.secret, second.secret, person.secret)).toEqual([true, true, false]);
    const fourth = await rotateWebhookSecret(person.ctx, id, { endOld: true });
    expect(fourth.webhook.oldSecretUntil).toBeNull();
    expect(await isSignedWith(fourth.secret, third.secret)).toEqual([true, false]);
    const fifth = await rotateWebhookSecret(person.ctx, id);
    expect(fifth.webhook.oldSecretUntil).toEqual(new Date(db.clock.now().getTime() + 24 * HOUR));
    db.clock.advance(24 * HOUR - 1000);
    expect(await isSignedWith(fifth.secret, fourth.secret)).toEqual([true, true]);
    db.clock.advance(1000);
    expect(await isSignedWith(fifth.secret, fourth.secret)).toEqual([true, false]);
    expect((await getWebhook(person.ctx, id)).oldSecretUntil).toBeNull();
  });

  it('has a secret that is shown once, stored encrypted, and can be replaced', async () => {
    const person = await hooked();
    expect(person.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const stored = JSON.stringify(await testConnection(db).collection('webhooks').find().toArray());
    expect(stored).not.toContain(person.secret);
    expect(
      JSON.stringify([await listWebhooks(person.ctx), await getWebhook(person.ctx, person.webhook.id)]),
    ).not.toMatch(/whsec_|sealed/);
    const { secret } = await rotateWebhookSecret(person.ctx, person.webhook.id, { endOld: true });
    await sendTestEvent(person.ctx, person.webhook.id);
    const [message] = host.received;
    expect(message && [isSigned(message, secret), isSigned(message, person.secret)]).toEqual([true, false]);
  });

  it('belongs to one account, which can have five', async () => {
    const person = await hooked();
    const other = await newPerson(db, `other-${count}@example.org`, { plan: 'trial' });
    const input = { url: host.url('more'), events: ['dose.due' as const] };
    for (let index = 0; index < 4; index += 1) await createWebhook(person.ctx, input);
    expect(await codeOf(createWebhook(person.ctx, input))).toBe('LIMIT_REACHED');
    for (const call of [
      () => getWebhook(other.ctx, person.webhook.id),
      () => updateWebhook(other.ctx, person.webhook.id, { events: ['dose.due'] }),
      () => rotateWebhookSecret(other.ctx, person.webhook.id),
      () => sendTestEvent(other.ctx, person.webhook.id),
      () => listWebhookDeliveries(other.ctx, person.webhook.id),
      () => deleteWebhook(other.ctx, person.webhook.id),
    ])
      expect(await codeOf(call())).toBe('NOT_FOUND');
    const free = await newPerson(db, `free-${count}@example.org`);
    expect(await codeOf(createWebhook(free.ctx, input))).toBe('PREMIUM_REQUIRED');
  });

  it.each([
    'https://127.0.0.1/x',
    'https://10.0.0.1/x',
    'https://[::1]/x',
    'https://localhost/x',
    'https://user:secret@example.invalid/x',
    'http://example.invalid/x',
    'javascript:alert(1)',
    'x',
  ])('cannot have the address %s', async (url) => {
    const { ctx } = await newPerson(db, `refused-${(count += 1)}@example.org`, { plan: 'trial' });
    const real = { ...ctx, outgoing: createOutgoingPosts() };
    expect(await codeOf(createWebhook(real, { url, events: ['dose.due'] }))).toBe('INVALID_INPUT');
  });
});

describe('a webhook delivery', () => {
  it('is retried with the same id and growing pauses for 24 hours, then its owner is told once', async () => {
    answer = (_message, response) => void response.writeHead(500).end();
    const person = await hooked();
    await updateNotificationChoices(person.ctx, { email: true });
    await remindOfDoses(worker());
    const began = db.clock.now().getTime();
    const triedAt: number[] = [];
    answer = (_message, response) => {
      triedAt.push(db.clock.now().getTime() - began);
      response.writeHead(500).end();
    };
    await workFor(26);
    expect(new Set(host.received.map(({ body }) => body)).size).toBe(1);
    expect(host.received.every((message) => isSigned(message, person.secret))).toBe(true);
    expect(triedAt.at(-1)).toBe(24 * HOUR);
    const pauses = triedAt.slice(1).map((at, index) => at - (triedAt[index] ?? 0));
    expect(pauses.slice(0, -1)).toEqual(pauses.slice(0, -1).toSorted((a, b) => a - b));
    expect(await listOf(person)).toMatchObject([
      { state: 'failed', status: 500, reason: 'the address answered 500', nextTryAt: null },
    ]);
    expect((await getWebhook(person.ctx, person.webhook.id)).failingSince).not.toBeNull();
    const news = (await listReminders(person.ctx)).reminders.filter(({ type }) => type === 'other');
    expect(news.map(({ message }) => message)).toEqual([
      `Your webhook to 127.0.0.1:${host.port} could not be reached for 24 hours: the address answered 500.`,
    ]);
    await deliverReminders(worker());
    const mails = (await db.mails()).filter(({ to }) => to === person.email).map(({ subject }) => subject);
    expect(mails.filter((subject) => subject === 'A webhook is failing')).toHaveLength(1);
    // Sent again manually, it arrives with the same id.
    answer = take;
    const [failed] = await listOf(person);
    expect(await sendAgain(person.ctx, person.webhook.id, failed?.id ?? '')).toMatchObject({ state: 'sent' });
    expect(host.received.at(-1)?.body).toBe(host.received[0]?.body);
    expect((await getWebhook(person.ctx, person.webhook.id)).failingSince).toBeNull();
  });

  it('waits as long as a busy receiver asks, and is retried if the receiver hangs or disconnects', async () => {
    const person = await hooked();
    await remindOfDoses(worker());
    answer = () => undefined;
    const impatient = { ...worker(), outgoing: createOutgoingPosts({ rule: LOOPBACK_RULE, timeoutMs: 50 }) };
    await deliverWebhooks(impatient);
    expect(await listOf(person)).toMatchObject([
      { state: 'waiting', reason: 'the address took too long to answer' },
    ]);
    answer = (_message, response) => void response.destroy();
    db.clock.advance(HOUR);
    await deliverWebhooks(worker());
    expect(await listOf(person)).toMatchObject([{ state: 'waiting', status: null }]);
    answer = (_message, response) => void response.writeHead(429, { 'Retry-After': '7200' }).end();
    db.clock.advance(HOUR);
    await deliverWebhooks(worker());
    const sent = host.received.length;
    db.clock.advance(2 * HOUR - 1000);
    await deliverWebhooks(worker());
    expect(host.received).toHaveLength(sent);
    answer = (_message, response) => {
      // An endless response is not read completely.
      response.writeHead(200);
      const more = () => response.destroyed || response.write(Buffer.alloc(16_384), more);
      more();
    };
    db.clock.advance(1000);
    await deliverWebhooks(worker());
    expect(await listOf(person)).toMatchObject([{ state: 'sent', status: 200, attempts: 4 }]);
    expect(new Set(host.received.map(({ body }) => body)).size).toBe(1);
  });

  it('never reaches a private address, through a redirect or a changed DNS name', async () => {
    // Both addresses are this machine: one stands for the public internet, the other for the private network.
    const [outside, inside] = ['127.0.0.2', '127.0.0.1'];
    const behind = await startWebhookHost(take, { address: inside });
    let redirects = true;
    const receiver = await startWebhookHost(
      (_message, response) =>
        void (redirects
          ? response.writeHead(307, { Location: behind.url('inside') }).end()
          : response.writeHead(204).end()),
      { address: outside, port: behind.port },
    );
    let leads = outside;
    const outgoing = createOutgoingPosts({
      rule: {
        protocols: ['http:'],
        isAllowed: (address) => address === outside,
        resolve: (_name, _options, done) => done(null, [{ address: leads, family: 4 }]),
      },
    });
    const ctx = { ...worker(), outgoing };
    const { ctx: own, signedIn } = await newPerson(db, `moves-${(count += 1)}@example.org`, {
      plan: 'trial',
    });
    const url = `http://moves.example:${behind.port}/hook`;
    const { webhook } = await createWebhook({ ...own, outgoing }, { url, events: ['dose.due'] });
    await db.repos.doses.createMany(signedIn.user.id, [pendingDose(`dose_moves_${count}`, db.clock.now())]);
    await remindOfDoses(worker());
    await deliverWebhooks(ctx);
    const [redirected] = await listWebhookDeliveries(own, webhook.id);
    expect(redirected).toMatchObject({ state: 'waiting', status: 307 });
    [redirects, leads] = [false, inside];
    const closing = receiver.received.length;
    await receiver.close();
    db.clock.advance(HOUR);
    await deliverWebhooks(ctx);
    const [moved] = await listWebhookDeliveries(own, webhook.id);
    expect(moved).toMatchObject({ state: 'waiting', reason: 'the address is not on the public internet' });
    expect([behind.received, closing]).toEqual([[], 1]);
    leads = outside;
    const back = await startWebhookHost(take, { address: outside, port: behind.port });
    db.clock.advance(HOUR);
    await deliverWebhooks(ctx);
    expect(back.received.map(({ event }) => event.id)).toEqual(
      receiver.received.map(({ event }) => event.id),
    );
    expect(behind.received).toEqual([]);
    await Promise.all([behind.close(), back.close()]);
  });

  it('that was sent but not recorded is sent again with the same id', async () => {
    const person = await hooked();
    await remindOfDoses(worker());
    const ctx = worker();
    const lost = { ...reposOf(ctx).webhookDeliveries, finish: () => Promise.reject(new Error('killed')) };
    const cutOff = { ...ctx, repos: ctx.repos.with({ webhookDeliveries: lost }) };
    await expect(deliverWebhooks(cutOff, undefined, { leaseMs: 60_000 })).rejects.toThrow('killed');
    await deliverWebhooks(worker());
    expect(host.received).toHaveLength(1);
    db.clock.advance(60_000);
    await deliverWebhooks(worker());
    expect(host.received.map(({ body }) => body)).toEqual([host.received[0]?.body, host.received[0]?.body]);
    expect(await listOf(person)).toMatchObject([{ state: 'sent' }]);
  });

  it('of a test event is sent immediately and once, and a failure is not reported', async () => {
    const person = await hooked();
    expect(await sendTestEvent(person.ctx, person.webhook.id)).toMatchObject({ type: 'test', state: 'sent' });
    expect(host.received[0]?.event).toMatchObject({
      type: 'test',
      data: { message: expect.any(String) as string },
    });
    answer = (_message, response) => void response.writeHead(404).end();
    const failed = await sendTestEvent(person.ctx, person.webhook.id);
    expect(failed).toMatchObject({ state: 'failed', status: 404, nextTryAt: null });
    await workFor(1);
    expect(host.received).toHaveLength(2);
    expect((await listReminders(person.ctx)).reminders).toEqual([]);
  });

  it('is listed among the last 50, and deleted with its webhook', async () => {
    const person = await hooked(['dose.due']);
    const doses = Array.from({ length: 60 }, (_, index) =>
      pendingDose(`${person.doseId}_${index}`, db.clock.now()),
    );
    await db.repos.doses.createMany(person.id, doses);
    await remindOfDoses(worker());
    await Promise.all([1, 2, 3, 4].map(() => deliverWebhooks(worker(), undefined, { batch: 8, width: 4 })));
    expect(host.received).toHaveLength(61);
    expect(new Set(host.received.map(({ event }) => event.id)).size).toBe(61);
    expect(await listOf(person)).toHaveLength(50);
    await deleteWebhook(person.ctx, person.webhook.id);
    expect(
      await testConnection(db).collection('webhook_deliveries').countDocuments({ userId: person.id }),
    ).toBe(0);
  });
});
