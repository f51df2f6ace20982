import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDoses } from '#app/features/doses/dose-lists.server.ts';
import { addLot } from '#app/features/lots/index.server.ts';
import { savePause, swapSchedule } from '#app/features/schedules/plan-changes.server.ts';
import { createSchedule, getSchedule } from '#app/features/schedules/schedules.server.ts';
import {
  addSideEffect,
  addSideEffectImage,
} from '#app/features/tracking/side-effects/side-effects.server.ts';
import { toolsOf } from '#app/platform/mcp/tools.ts';
import { fieldsOf } from '#tests/support/outcomes.ts';
import { picture } from '#tests/support/pictures.ts';
import { addVial, getVial } from '#app/features/vials/vials.server.ts';
import { downloadData } from '#app/features/export/data-download.server.ts';
import {
  acceptProposal,
  countWaitingProposals,
  declineAllProposals,
  declineProposal,
  getProposal,
  listProposals,
  propose,
} from '#app/features/proposals/index.server.ts';
import { contextAs, type Ctx } from '#app/platform/access/context.server.ts';
import type { CallValues } from '#app/platform/api/run-call.server.ts';
import { OPERATIONS } from '#app/server/operations.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';
import { textOf } from '#tests/support/streams.ts';
import { reposOf } from '#tests/support/repositories.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

let people = 0;
const someone = () => newPerson(db, `proposals-${(people += 1)}@example.org`, { plan: 'trial' });

/** The same user, through a personal token. */
function byToken(ctx: Ctx, scope: 'read' | 'write' = 'write'): Ctx {
  if (ctx.actor.kind !== 'user') throw new Error('nobody is signed in');
  return contextAs(ctx, { ...ctx.actor, apiToken: { id: 'token', scope } });
}

const all = () => OPERATIONS;
const ask = (ctx: Ctx, id: string, values: Partial<CallValues> = {}) => {
  const operation = OPERATIONS.find((one) => one.id === id) ?? expect.unreachable(`no call ${id}`);
  return propose(ctx, all, operation, { params: {}, query: {}, body: {}, ...values });
};
const accept = async (ctx: Ctx, id: string, confirm = false) =>
  acceptProposal(ctx, all, { id, mark: (await getProposal(ctx, all, id)).mark, confirm });
const dosesOf = async (ctx: Ctx) => (await listDoses(ctx, { status: 'taken' })).doses;
const DOSE = { body: { name: 'TB-500', actualDose: '0.25' } };
const DAY = 86_400_000;
const PLAN = {
  ...{ name: 'BPC-157', doseAmount: 250, doseUnit: 'mcg', frequency: { kind: 'daily' }, times: ['08:00'] },
  ...{ timeZone: 'UTC', startDate: '2090-03-01' },
};

describe('a proposal', () => {
  it('writes nothing until its owner accepts it, and then once', async () => {
    const { ctx } = await someone();
    const proposal = await ask(byToken(ctx), 'logDose', DOSE);
    expect(proposal).toMatchObject({
      operation: 'logDose',
      state: 'waiting',
      source: 'token',
      changes: [
        { label: 'Name', before: null, after: 'TB-500' },
        { label: 'Actual dose', before: null, after: '0.25 mg' },
        { label: 'Taken at', before: null, after: '10 Mar 2090, 12:00 UTC' },
      ],
    });
    expect([await dosesOf(ctx), await countWaitingProposals(ctx)]).toEqual([[], 1]);
    db.clock.advance(3_600_000);
    const outcomes = await Promise.allSettled([accept(ctx, proposal.id), accept(ctx, proposal.id)]);
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await accept(ctx, proposal.id)).toBe('Dose marked as taken');
    const doses = await dosesOf(ctx);
    expect(doses.map(({ name, actualDose, takenAt }) => [name, actualDose, takenAt])).toEqual([
      ['TB-500', '0.25', new Date(db.clock.now().getTime() - 3_600_000)],
    ]);
    expect([(await getProposal(ctx, all, proposal.id)).state, await countWaitingProposals(ctx)]).toEqual([
      'accepted',
      0,
    ]);
  });

  it('cannot be accepted by any token, or by another user', async () => {
    const [{ ctx }, { ctx: other }] = [await someone(), await someone()];
    const { id, mark } = await ask(byToken(ctx), 'logDose', DOSE);
    for (const scope of ['read', 'write'] as const)
      await expect(
        acceptProposal(byToken(ctx, scope), all, { id, mark, confirm: false }),
      ).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
    for (const answer of [
      () => acceptProposal(other, all, { id, mark, confirm: false }),
      () => declineProposal(other, all, id),
      () => getProposal(other, all, id),
    ])
      await expect(answer()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await listProposals(other, all, { page: 1, limit: 10 })).total).toBe(0);
    expect(await dosesOf(ctx)).toEqual([]);
  });

  it('needs a token with write scope, and an existing record to change', async () => {
    const [{ ctx }, { ctx: other }] = [await someone(), await someone()];
    await expect(ask(byToken(ctx, 'read'), 'logDose', DOSE)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const vial = await addVial(ctx, { name: 'BPC-157', totalAmount: '5' });
    for (const params of [{ id: vial.id }, { id: 'vial_nothing' }])
      await expect(ask(byToken(other), 'deleteCompound', { params })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    await expect(ask(byToken(ctx), 'logDose', { body: { nonsense: 1 } })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect([await countWaitingProposals(ctx), await countWaitingProposals(other)]).toEqual([0, 0]);
  });

  it('shows the record as it is now, and must be reviewed again if that has changed', async () => {
    const { ctx } = await someone();
    const vial = await addVial(ctx, { name: 'BPC-157', totalAmount: '5' });
    const change = { params: { id: vial.id }, body: { notes: 'second shelf', lot: 'A7' } };
    const seen = await ask(byToken(ctx), 'changeCompound', change);
    expect([seen.subject, seen.changes]).toEqual([
      'BPC-157',
      [
        { label: 'Notes', before: 'none', after: 'second shelf' },
        { label: 'Lot', before: 'none', after: 'A7' },
      ],
    ]);
    const other = await ask(byToken(ctx), 'changeCompound', { ...change, body: { lot: 'B8' } });
    await accept(ctx, other.id);
    const stale = acceptProposal(ctx, all, { id: seen.id, mark: seen.mark, confirm: false });
    await expect(stale).rejects.toMatchObject({ conflict: 'CHANGED_MEANWHILE' });
    expect((await getProposal(ctx, all, seen.id)).changes).toContainEqual({
      label: 'Lot',
      before: 'B8',
      after: 'A7',
    });
    await accept(ctx, seen.id);
    expect(await getVial(ctx, vial.id)).toMatchObject({ lot: 'A7', notes: 'second shelf' });
  });

  it('with an unusual amount asks its owner, and accepts no confirmation from a program', async () => {
    const { ctx } = await someone();
    await accept(ctx, (await ask(byToken(ctx), 'logDose', DOSE)).id);
    const body = { name: 'TB-500', actualDose: '2.5', confirm: true };
    const { id } = await ask(byToken(ctx), 'logDose', { body });
    const { questions } = await getProposal(ctx, all, id);
    expect(questions).toEqual([expect.stringMatching(/is 10 × your usual 0.25 mg/)]);
    expect(await dosesOf(ctx)).toHaveLength(1);
    const usual = await ask(byToken(ctx), 'logDose', {
      body: { ...body, actualDose: '0.25', notes: 'usual' },
    });
    expect((await getProposal(ctx, all, usual.id)).questions).toEqual([]);
    expect(await dosesOf(ctx)).toHaveLength(1);
    await expect(accept(ctx, id)).rejects.toMatchObject({ code: 'CONFIRM_DOSE' });
    expect(await getProposal(ctx, all, id)).toMatchObject({ state: 'waiting' });
    expect(await dosesOf(ctx)).toHaveLength(1);
    await accept(ctx, id, true);
    expect(await dosesOf(ctx)).toHaveLength(2);
  });

  it('that cannot be carried out stays waiting with the reason, until it is declined', async () => {
    const { ctx } = await someone();
    const vial = await addVial(ctx, { name: 'BPC-157', totalAmount: '5' });
    const change = await ask(byToken(ctx), 'changeCompound', {
      params: { id: vial.id },
      body: { lot: 'A7' },
    });
    await accept(ctx, (await ask(byToken(ctx), 'deleteCompound', { params: { id: vial.id } })).id);
    await expect(accept(ctx, change.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await getProposal(ctx, all, change.id)).toMatchObject({
      state: 'waiting',
      message: expect.stringMatching(/./) as string,
    });
    expect((await declineProposal(byToken(ctx), all, change.id)).state).toBe('declined');
    expect((await declineProposal(ctx, all, change.id)).state).toBe('declined');
    await expect(accept(ctx, change.id)).rejects.toMatchObject({ conflict: 'WRONG_STATE' });
  });

  it('says which pause, change or picture it is about, so that two look different', async () => {
    const { ctx } = await someone();
    const token = byToken(ctx);
    const { id } = await createSchedule(ctx, PLAN);
    await savePause(ctx, id, { firstDay: '2090-04-01', lastDay: '2090-04-07' });
    await savePause(ctx, id, { firstDay: '2090-05-01', lastDay: '2090-05-07' });
    await swapSchedule(ctx, id, { fromDay: '2090-06-01', name: 'TB-500', doseAmount: '300', confirm: true });
    const { swaps } = await swapSchedule(ctx, id, {
      fromDay: '2090-07-01',
      doseAmount: '350',
      confirm: true,
    });
    const effect = await addSideEffect(ctx, { name: 'Rash', severity: '2', startedAt: '2090-03-09T08:00' });
    const images = [];
    for (const width of [64, 80])
      images.push(await addSideEffectImage(ctx, effect.id, await picture('png', { width, height: 48 })));
    const subjectOf = async (operation: string, params: Record<string, string>) =>
      (await ask(token, operation, { params })).subject;
    const pauses = ['2090-04-01', '2090-05-01'].map((firstDay) => subjectOf('endPause', { id, firstDay }));
    expect(await Promise.all(pauses)).toEqual([
      expect.stringMatching(/^BPC-157.*pause 1 of 2 .*1 Apr 2090.*7 Apr 2090/),
      expect.stringMatching(/^BPC-157.*pause 2 of 2 .*1 May 2090.*7 May 2090/),
    ]);
    const changes = (swaps ?? []).map((swap) => subjectOf('undoSwap', { id, swapId: swap.id }));
    expect(await Promise.all(changes)).toEqual([
      expect.stringMatching(/change 1 of 2 .*1 Jun 2090.*TB-500.*300 mcg/),
      expect.stringMatching(/change 2 of 2 .*1 Jul 2090.*TB-500.*350 mcg/),
    ]);
    const pictures = images.map((image) =>
      subjectOf('deleteSideEffectImage', { id: effect.id, imageId: image.id }),
    );
    expect(await Promise.all(pictures)).toEqual([
      expect.stringMatching(/^Rash.*picture 1 of 2 .*64.*10 Mar 2090/),
      expect.stringMatching(/^Rash.*picture 2 of 2 .*80.*10 Mar 2090/),
    ]);
    const unknown = ask(token, 'endPause', { params: { id, firstDay: '2090-09-01' } });
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await accept(ctx, (await ask(token, 'endPause', { params: { id, firstDay: '2090-04-01' } })).id);
    expect((await getSchedule(ctx, id)).pauses).toMatchObject([{ firstDay: '2090-05-01' }]);
  });

  it('with invalid values is refused immediately, with the fields', async () => {
    const { ctx } = await someone();
    const token = byToken(ctx);
    const vial = await addVial(ctx, { name: 'BPC-157', totalAmount: '5' });
    const schedule = await createSchedule(ctx, PLAN);
    const { lot } = await addLot(ctx, { number: 'A7', product: 'BPC-157' });
    const inVial = { id: vial.id };
    const inSchedule = { id: schedule.id };
    const invalid: [operation: string, field: string, body: object, params?: object][] = [
      ['addCompound', 'name', { name: '', totalAmount: 5 }],
      ['addCompound', 'totalAmount', { name: 'BPC-157', totalAmount: -1 }],
      ['changeCompound', 'totalAmount', { totalAmount: -1 }, inVial],
      ['correctRemaining', 'remainingAmount', { remainingAmount: -1, reason: 'counted' }, inVial],
      ['addLot', 'number', { number: '', product: 'BPC-157' }],
      ['changeLot', 'netContentMg', { netContentMg: -1 }, { id: lot.id }],
      ['createSchedule', 'name', { ...PLAN, name: '' }],
      ['createSchedule', 'doseAmount', { ...PLAN, doseAmount: -1 }],
      ['updateSchedule', 'doseAmount', { doseAmount: -1 }, inSchedule],
      ['updateSchedule', 'times', { times: ['25:00'] }, inSchedule],
      ['savePause', 'lastDay', { lastDay: '2090-02-31' }, { ...inSchedule, firstDay: '2090-04-01' }],
      ['swapSchedule', 'doseAmount', { fromDay: '2090-04-01', doseAmount: -1 }, inSchedule],
      ['setCeiling', 'perDose', { name: 'BPC-157', perDose: -1 }],
      ['saveCalculation', 'peptideAmount', { peptideAmount: -1, waterVolume: 2, desiredDose: 0.25 }],
      ['logDose', 'actualDose', { name: 'BPC-157', actualDose: -1 }],
      ['logDose', 'name', { name: '', actualDose: 1 }],
    ];
    for (const [operation, field, body, params] of invalid) {
      const call = ask(token, operation, { body: { ...body }, params: { ...params } });
      expect(Object.keys(await fieldsOf(call)), `${operation} ${field}`).toContain(field);
    }
    expect(await countWaitingProposals(ctx)).toBe(0);
    const valid = await ask(token, 'updateSchedule', { body: { times: ['09:00'] }, params: inSchedule });
    await accept(ctx, valid.id);
    expect((await getSchedule(ctx, schedule.id)).times).toEqual(['09:00']);
  });

  it('never asks a program to confirm, neither in a tool’s description nor in its fields', () => {
    const tools = [...toolsOf(OPERATIONS, true).values()].filter(
      ({ operation }) => operation.scope === 'write',
    );
    expect(tools.length).toBeGreaterThan(20);
    for (const { listed } of tools)
      expect(JSON.stringify(listed), listed.name).not.toMatch(/confirm: ?true|"confirm"/);
    // The API’s own clients are still told.
    expect(OPERATIONS.find(({ id }) => id === 'takeDose')?.confirmation).toContain('`confirm: true`');
  });

  it('expires after seven days', async () => {
    const { ctx } = await someone();
    const { id } = await ask(byToken(ctx), 'logDose', DOSE);
    db.clock.advance(7 * DAY);
    expect([(await getProposal(ctx, all, id)).state, await countWaitingProposals(ctx)]).toEqual([
      'expired',
      0,
    ]);
    await expect(accept(ctx, id)).rejects.toMatchObject({ conflict: 'WRONG_STATE' });
    await expect(declineProposal(ctx, all, id)).rejects.toMatchObject({ conflict: 'WRONG_STATE' });
    expect(await dosesOf(ctx)).toEqual([]);
  });

  it('that was cut off while being carried out is not retried', async () => {
    const { ctx } = await someone();
    const { id } = await ask(byToken(ctx), 'logDose', DOSE);
    const now = db.clock.now();
    const ownerId = ctx.actor.kind === 'user' ? ctx.actor.id : '';
    await reposOf(ctx).proposals.claim(ownerId, id, now, new Date(now.getTime() + 60_000));
    await expect(accept(ctx, id)).rejects.toMatchObject({ conflict: 'ALREADY_RUNNING' });
    db.clock.advance(60_000);
    expect((await getProposal(ctx, all, id)).state).toBe('interrupted');
    await expect(accept(ctx, id)).rejects.toMatchObject({ conflict: 'WRONG_STATE' });
    expect(await dosesOf(ctx)).toEqual([]);
  });

  it('is limited to a hundred waiting, and stored once for equal calls', async () => {
    const { ctx } = await someone();
    const token = byToken(ctx);
    const note = (index: number) =>
      ask(token, 'setCeiling', { body: { name: `Compound ${index}`, perDose: 5 } });
    const first = await note(0);
    expect((await note(0)).id).toBe(first.id);
    for (let index = 1; index < 98; index += 1) await note(index);
    const rest = await Promise.allSettled([98, 99, 100, 101].map(note));
    expect(rest.some(({ status }) => status === 'rejected')).toBe(true);
    expect(await countWaitingProposals(ctx)).toBeLessThanOrEqual(100);
    expect(await declineAllProposals(ctx)).toBeGreaterThanOrEqual(98);
    expect(await countWaitingProposals(ctx)).toBe(0);
    expect((await note(0)).id).not.toBe(first.id);
    const long = ask(token, 'saveCalculation', { body: { notes: 'x'.repeat(20_000) } });
    await expect(long).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('is in the download of all data', async () => {
    const { ctx } = await someone();
    await ask(byToken(ctx), 'logDose', { body: { name: 'Downloaded', actualDose: '1' } });
    const text = await textOf((await downloadData(ctx)).open());
    expect(text).toContain('Downloaded');
    expect(text).toContain('"proposals"');
  });
});
