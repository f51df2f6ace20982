import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SILENT_LOG } from '#app/domain/log.ts';
import { askForPasswordReset } from '#app/features/accounts/password-change.server.ts';
import { createApiToken } from '#app/features/accounts/api-tokens.server.ts';
import { scheduleDeletion } from '#app/features/accounts/account-deletion.server.ts';
import { changeProfile } from '#app/features/accounts/profile.server.ts';
import { saveCalculation } from '#app/features/calculator/calculations.server.ts';
import { logDose } from '#app/features/doses/doses.server.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addMeasurement } from '#app/features/tracking/health/measurements.server.ts';
import { saveNutrition } from '#app/features/tracking/nutrition/nutrition.server.ts';
import {
  addSideEffectImage,
  addSideEffect,
} from '#app/features/tracking/side-effects/side-effects.server.ts';
import { logSite } from '#app/features/tracking/sites/injection-sites.server.ts';
import { addOrderDocument, addOrder } from '#app/features/vendors/orders.server.ts';
import { addProduct, addSupplier } from '#app/features/vendors/suppliers.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { createMailer } from '#app/integrations/mail.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { createMailQueue } from '#app/platform/mail/mail-queue.server.ts';
import { calculation } from '#tests/support/calculations.ts';
import { runCli } from '#tests/support/cli.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { certificate } from '#tests/support/papers.ts';
import { picture } from '#tests/support/pictures.ts';

/** Nothing of a deleted account's texts may be left in files, wherever they were stored. */
const HOUR_MS = 3_600_000;
const EMAIL = 'leaves-a-mark@example.org';

let directory: string;
let scratch: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'vialbook-left-'));
  scratch = await mkdtemp(path.join(tmpdir(), 'vialbook-left-'));
});
afterAll(() =>
  Promise.all([directory, scratch].map((folder) => rm(folder, { recursive: true, force: true }))),
);

/** Every text given to the account, each unique. */
const marks: string[] = [];
function mark(field: string): string {
  const text = `mark ${field} ${marks.length}q7`;
  marks.push(text);
  return text;
}

/** Fills every field that takes a text, and adds a picture and a document. */
async function leaveMarks(ctx: Ctx): Promise<void> {
  const takenAt = new Date(Date.now() - HOUR_MS).toISOString();
  const local = takenAt.slice(0, 16);
  const name = mark('name');
  await changeProfile(ctx, { name: mark('person'), timeZone: 'UTC', doseUnit: 'mg', units: 'metric' });
  await createApiToken(ctx, { name: mark('token'), scope: 'read', life: '30' });
  await saveCalculation(ctx, calculation({ peptideName: mark('calculation'), notes: mark('note') }));
  await addVial(ctx, { name, amountMg: '5', lot: mark('lot'), notes: mark('vial') });
  const plan = { doseAmount: '250', doseUnit: 'mcg', frequency: { kind: 'daily' }, times: ['08:00'] };
  await createSchedule(ctx, { name, ...plan, startDate: local.slice(0, 10), notes: mark('schedule') });
  const confirmed = ['TOO_SOON', 'NO_OPEN_VIAL', 'OVER_DRAWN', 'PAST_DATE', 'NOT_RECONSTITUTED'] as const;
  const dose = { name, actualDose: '0.25', doseUnit: 'mg' as const, takenAt, notes: mark('dose') };
  await logDose(ctx, { ...dose, confirmed: [...confirmed] });
  const effect = { name: mark('effect'), severity: 2, startedAt: local, notes: mark('effect note') };
  const { id } = await addSideEffect(ctx, effect);
  await addSideEffectImage(ctx, id, await picture());
  await logSite(ctx, { site: 'deltoid-left', takenAt: local, notes: mark('site') });
  await addMeasurement(ctx, { metric: 'weight', value: '80', measuredAt: local, notes: mark('measurement') });
  await saveNutrition(ctx, { date: local.slice(0, 10), calories: 2000, notes: mark('meal') });
  const supplier = await addSupplier(ctx, { name: mark('supplier'), notes: mark('supplier note') });
  const product = { name: mark('product'), mgPerVial: '5', price: '30', currency: 'USD' };
  await addProduct(ctx, supplier.id, product);
  const order = await addOrder(ctx, {
    supplierId: supplier.id,
    lines: [{ ...product, quantity: '1' }],
    notes: mark('order'),
  });
  await addOrderDocument(ctx, order.id, { fileName: `${mark('paper')}.pdf`, bytes: certificate() });
}

/** Requests the deletion 49 hours ago, with a mail in the folder as a server without SMTP writes it. */
async function leave(database: TestDatabase, { ctx, email }: Person): Promise<void> {
  const mailer = createMailer(database.settings, SILENT_LOG);
  const mailQueue = createMailQueue({
    mails: database.repos.mails,
    mailer,
    log: SILENT_LOG,
    secret: () => 'a secret that only this test uses, long enough',
    appUrl: database.settings.APP_URL,
    now: () => new Date(),
  });
  await askForPasswordReset({ ...database.ctx(), mailQueue }, { email });
  const then = new Date(Date.now() - 49 * HOUR_MS);
  const actor = { ...ctx.actor, authenticatedAt: then } as Ctx['actor'];
  await scheduleDeletion({ ...ctx, actor, mailQueue, now: () => then }, { email });
  await mailQueue.close();
}

/** The files of a folder that contain one of the account's texts. */
async function filesWithMarks(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const found: string[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const bytes = await readFile(path.join(entry.parentPath, entry.name));
    const text = entry.name.endsWith('.backup') ? gunzipSync(bytes) : bytes;
    if ([EMAIL, ...marks].some((each) => text.includes(each))) found.push(entry.name);
  }
  return found;
}

async function vialbook(...args: string[]): Promise<void> {
  expect(await runCli(args, { env: { DATA_DIR: directory } })).toMatchObject({ code: 0 });
}

it('a deleted account is in no file, backup or restored database once the database is compacted', async () => {
  const database = await openTestDatabase({ directory });
  const person = await newPerson(database, EMAIL, { plan: 'trial' });
  await leaveMarks(person.ctx);
  await leave(database, person);
  await database.dispose();
  await vialbook('db', 'backup', '--out', path.join(scratch, 'before.backup'));
  expect(await filesWithMarks(scratch)).toEqual(['before.backup']);
  expect(await filesWithMarks(path.join(directory, 'mail'))).toHaveLength(2);
  await rm(path.join(scratch, 'before.backup'));

  await vialbook('admin', 'purge', '--yes');
  await vialbook('db', 'backup', '--out', path.join(scratch, 'after.backup'));
  expect(await filesWithMarks(scratch)).toEqual([]);
  const restored = path.join(scratch, 'restored');
  const archive = path.join(scratch, 'after.backup');
  const result = await runCli(['db', 'restore', archive], { env: { DATA_DIR: restored } });
  expect(result).toMatchObject({ code: 0 });
  expect(await filesWithMarks(scratch)).toEqual([]);
  await vialbook('db', 'compact');
  expect(await filesWithMarks(directory)).toEqual([]);
});
