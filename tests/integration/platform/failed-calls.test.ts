import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ActionFunctionArgs } from '@remix-run/node';
import { addVial } from '#app/features/vials/index.server.ts';
import { createSchedule } from '#app/features/schedules/index.server.ts';
import { parseSettings } from '#app/domain/settings/settings.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { setCurrentApp } from '#app/platform/http/session.server.ts';
import * as adminLogin from '#app/routes/admin.login.tsx';
import * as vialList from '#app/routes/dashboard.vials.tsx';
import * as newVial from '#app/routes/dashboard.vials_.new.tsx';
import * as editVial from '#app/routes/dashboard.vials_.$id_.edit.tsx';
import * as reconstitute from '#app/routes/dashboard.vials_.$id_.reconstitute.tsx';
import * as remaining from '#app/routes/dashboard.vials_.$id_.remaining.tsx';
import * as discard from '#app/routes/dashboard.vials_.$id_.discard.tsx';
import * as deleteVial from '#app/routes/dashboard.vials_.$id_.delete.tsx';
import * as newSchedule from '#app/routes/dashboard.schedule_.new.tsx';
import * as editSchedule from '#app/routes/dashboard.schedule_.$id_.edit.tsx';
import * as pauseSchedule from '#app/routes/dashboard.schedule_.$id_.pause.tsx';
import * as deleteSchedule from '#app/routes/dashboard.schedule_.$id_.delete.tsx';
import * as dose from '#app/routes/dashboard.schedule.doses.$id.tsx';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';
import { reposOf } from '#tests/support/repositories.ts';

let db: TestDatabase;
let ctx: Ctx;
/** What the pages get. */
let given: Ctx;
const ids: Record<string, string> = {};
const SCHEDULE = {
  name: 'BPC-157',
  doseAmount: '0.25',
  doseUnit: 'mg',
  times: ['20:00'],
  timeZone: 'UTC',
  startDate: '2090-03-10',
};

const unforeseen = () => Promise.reject(new TypeError('nobody foresaw this'));

beforeAll(async () => {
  db = await openTestDatabase();
  const person = await newPerson(db, 'unlucky@example.org', { plan: 'trial' });
  ({ ctx } = person);
  const sealed = { name: 'BPC-157', amountMg: 5 };
  ids['sealed'] = (await addVial(ctx, sealed)).id;
  ids['vial'] = (await addVial(ctx, { ...sealed, waterMl: 2, reconstitutionDate: '2090-03-10' })).id;
  const schedule = await createSchedule(ctx, { ...SCHEDULE, frequency: { kind: 'daily' } });
  ids['schedule'] = schedule.id;
  const [dose] = await reposOf(ctx).doses.list(person.signedIn.user.id, {
    scheduleId: schedule.id,
    limit: 1,
  });
  ids['dose'] = dose?.id ?? '';
  given = { ...ctx, transaction: unforeseen };
  setCurrentApp({
    settings: parseSettings({}),
    sessionSecret: 'secret',
    contextFor: () => given,
    withoutPayments: {} as Ctx['payments'],
    findBySession: () => Promise.resolve({ actor: ctx.actor as never }),
    findByApiToken: () => Promise.resolve(null),
    findByConnection: () => Promise.resolve(null),
    ping: () => Promise.resolve(0),
  });
});
afterAll(async () => {
  setCurrentApp(undefined);
  await db.dispose();
});

type Call = (args: ActionFunctionArgs) => Promise<unknown>;

/** What a page's call answers, returned or thrown. */
async function answer(call: unknown, id: string, fields?: Record<string, string>): Promise<unknown> {
  const request = new Request('http://localhost:3000/dashboard', {
    headers: { Host: 'localhost:3000' },
    ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
  });
  const context = {
    clientAddress: '127.0.0.1',
    requestId: 'r',
    missingHeaders: {},
    isThisMachine: true,
    origin: 'http://localhost:3000',
  } as never;
  return await (call as Call)({ request, params: { id: ids[id] }, context }).catch(
    (thrown: unknown) => thrown,
  );
}

const VIAL = { name: 'BPC-157', totalAmount: '5', idempotencyKey: crypto.randomUUID() };
const PLAN = { ...SCHEDULE, times: '20:00', 'frequency.kind': 'daily' };

it.each([
  ['adding a vial', newVial.action, '', VIAL, 'Failed to add compound'],
  ['editing a vial', editVial.action, 'vial', { ...VIAL, notes: 'x' }, 'Failed to update compound'],
  [
    'reconstituting',
    reconstitute.action,
    'sealed',
    { waterMl: '2', reconstitutionDate: '2090-03-10' },
    'Failed to update compound',
  ],
  ['correcting', remaining.action, 'vial', { remainingAmount: '4' }, 'Failed to update compound'],
  ['discarding', discard.action, 'vial', { reason: 'broken' }, 'Failed to update compound'],
  ['deleting a vial', deleteVial.action, 'vial', {}, 'Failed to delete compound'],
  ['planning', newSchedule.action, '', PLAN, 'Failed to create schedule'],
  ['changing a plan', editSchedule.action, 'schedule', PLAN, 'Failed to update schedule'],
  ['pausing', pauseSchedule.action, 'schedule', { isActive: 'false' }, 'Failed to update schedule'],
  ['deleting a plan', deleteSchedule.action, 'schedule', {}, 'Failed to delete schedule'],
  ['skipping a dose', dose.action, 'dose', { intent: 'skipped' }, 'Failed to update dose'],
])('%s that fails says so, with status 500', async (_name, action, id, fields, words) => {
  const { data, init } = (await answer(action, id, fields)) as { data: unknown; init: ResponseInit };
  expect([init.status, JSON.stringify(data)]).toEqual([500, expect.stringContaining(words)]);
});

const withBroken = (noun: 'vials' | 'users'): Ctx => {
  const broken = Object.fromEntries(Object.keys(reposOf(ctx)[noun]).map((name) => [name, unforeseen]));
  return { ...ctx, repos: ctx.repos.with({ [noun]: broken }) };
};

it('a list of vials that cannot be read says so', async () => {
  given = withBroken('vials');
  const { data, init } = (await answer(vialList.loader, '')) as { data: unknown; init: ResponseInit };
  expect([init.status, data]).toEqual([500, { error: 'FAILED', message: 'Failed to load compounds' }]);
});

it('an administrator’s sign-in that fails says so in its form', async () => {
  given = withBroken('users');
  const fields = { email: 'admin@example.org', password: 'blue-kettle-47' };
  const { data, init } = (await answer(adminLogin.action, '', fields)) as {
    data: unknown;
    init: ResponseInit;
  };
  expect([init.status, JSON.stringify(data)]).toEqual([
    500,
    expect.stringContaining('Login failed. Please try again.'),
  ]);
});
