import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOSE_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import { logDose, undoDose } from '#app/features/doses/doses.server.ts';
import { addLot, deleteLot, getLot, listLots, updateLot } from '#app/features/lots/lots.server.ts';
import { findRecall, recalledDoses, takenFromLot } from '#app/features/lots/recall.server.ts';
import { addOrder, receiveOrder, stepOrder } from '#app/features/vendors/orders.server.ts';
import { recalledDoseView, takenText } from '#app/domain/lots/recalled-dose.ts';
import { shownDay } from '#app/domain/time/calendar.ts';
import { calendarDay, dayAfter } from '#app/domain/time/zoned-time.ts';
import { stockAlerts } from '#app/features/vials/stock-forecast.server.ts';
import { addSupplier } from '#app/features/vendors/suppliers.server.ts';
import { addVial, deleteVial, getVial, updateVial } from '#app/features/vials/vials.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { runCli } from '#tests/support/cli.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { LOT_MESSAGES } from '#app/domain/lots/lot-schema.ts';
import { codeOf, fieldsOf } from '#tests/support/outcomes.ts';
import { newPerson, type Person } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

let people = 0;
const someone = (): Promise<Person> => newPerson(db, `lots-${(people += 1)}@example.org`, { plan: 'trial' });

const OPEN = { name: 'BPC-157', totalAmount: '5', waterMl: '2', reconstitutionDate: '2026-01-01' };

async function take(ctx: Ctx, compoundId: string, actualDose = '0.25') {
  const outcome = await logDose(ctx, {
    name: 'BPC-157',
    actualDose,
    compoundId,
    confirmed: [...DOSE_WARNINGS],
  });
  return outcome.done ? outcome.dose : expect.unreachable('it was not logged');
}

async function dosesOf({ ctx, signedIn }: Person, lot: string): Promise<string[]> {
  const recall = await findRecall(ctx, signedIn.user.id, lot);
  const { doses, total } = await recalledDoses(ctx, signedIn.user.id, recall, { page: 1, limit: 100 });
  expect(total).toBe(doses.length);
  return doses.map(({ dose }) => dose.id).sort();
}

describe('a lot', () => {
  it('is created once for the number on a vial, and vials with that number share it', async () => {
    const { ctx } = await someone();
    const vials = await Promise.all(['A-1', 'a-1 ', 'A-1'].map((lot) => addVial(ctx, { ...OPEN, lot })));
    const [first] = vials;
    expect(new Set(vials.map(({ lotId }) => lotId)).size).toBe(1);
    const { lots, paging } = await listLots(ctx, { page: 1, limit: 20 });
    expect(paging.total).toBe(1);
    expect(lots[0]?.lot).toMatchObject({ id: first?.lotId, product: 'BPC-157', netContentMg: null });
    expect(lots[0]?.vials).toHaveLength(3);
    // The same number with another compound is a different lot.
    await addVial(ctx, { ...OPEN, name: 'TB-500', lot: 'A-1' });
    expect((await listLots(ctx, { page: 1, limit: 20 })).paging.total).toBe(2);
  });

  it('stores purity, content and identity separately, and clears each alone', async () => {
    const { ctx } = await someone();
    const { lot } = await addLot(ctx, {
      number: 'B-1',
      product: 'BPC-157',
      purityPercent: '99,10',
      netContentMg: '5120 mcg',
      identityMethod: 'LC-MS',
    });
    expect(lot).toMatchObject({ purityPercent: '99.1', netContentMg: '5.12', identityMethod: 'LC-MS' });
    const { lot: changed } = await updateLot(ctx, lot.id, { purityPercent: null });
    expect(changed).toMatchObject({ purityPercent: null, netContentMg: '5.12', identityMethod: 'LC-MS' });
    for (const wrong of [
      { purityPercent: '100.1' },
      { purityPercent: '0' },
      { netContentMg: '0' },
      { netContentMg: '5 ml' },
      { reportUrl: 'javascript:alert(1)' },
      { testedOn: '2026-02-30' },
      { number: ' ' },
    ])
      expect(await codeOf(updateLot(ctx, lot.id, wrong)), JSON.stringify(wrong)).toBe('INVALID_INPUT');
    expect(await codeOf(addLot(ctx, { number: 'b-1', product: 'bpc-157' }))).toBe('ALREADY_EXISTS');
  });

  it('reads a unit typed with the content as that of its vials, and refuses the other measure', async () => {
    const { ctx } = await someone();
    const hcg = { name: 'HCG', totalAmount: '5000 IU', waterMl: '2', lot: 'H-1' };
    const id = (await addVial(ctx, hcg)).lotId ?? '';
    const contentOf = async (netContentMg: string) =>
      (await updateLot(ctx, id, { netContentMg })).lot.netContentMg;
    expect([await contentOf('5100 IU'), await contentOf('5090')]).toEqual(['5100', '5090']);
    expect(await fieldsOf(contentOf('5.1 mg'))).toEqual({ netContentMg: [LOT_MESSAGES.contentInIu] });
    const inMg = (await addVial(ctx, { ...OPEN, lot: 'H-2' })).lotId ?? '';

    expect(await fieldsOf(updateLot(ctx, inMg, { netContentMg: '5.1 IU' }))).toEqual({
      netContentMg: [LOT_MESSAGES.contentInMg],
    });
    expect((await getLot(ctx, id)).lot.netContentMg).toBe('5090');
  });

  it('renumbers its vials, and cannot be deleted while it has any', async () => {
    const { ctx } = await someone();
    const vial = await addVial(ctx, { ...OPEN, lot: 'C-1' });
    const { lot } = await updateLot(ctx, vial.lotId ?? '', { number: 'C-2' });
    expect(await getVial(ctx, vial.id)).toMatchObject({ lot: 'C-2', lotId: lot.id });
    expect(await codeOf(deleteLot(ctx, lot.id))).toBe('WRONG_STATE');
    await updateVial(ctx, vial.id, { lot: null });
    expect(await getVial(ctx, vial.id)).toMatchObject({ lot: null, lotId: null });
    await deleteLot(ctx, lot.id);
    expect(await codeOf(getLot(ctx, lot.id))).toBe('NOT_FOUND');
  });

  it('is created by a received order, with its certificate', async () => {
    const { ctx } = await someone();
    const supplier = await addSupplier(ctx, { name: 'Acme' });
    const line = { name: 'BPC-157', mgPerVial: '5', price: '30', currency: 'USD', quantity: '2' };
    const order = await addOrder(ctx, {
      supplierId: supplier.id,
      lines: [line, { ...line, name: 'TB-500' }],
    });
    await stepOrder(ctx, order.id, 'sent');
    expect(await codeOf(receiveOrder(ctx, order.id, [{ netContentMg: '5.1' }]))).toBe('INVALID_INPUT');
    await receiveOrder(ctx, order.id, [
      {
        lot: 'D-1',
        expirationDate: '2028-05-31',
        purityPercent: '99.2',
        netContentMg: '5.1',
        identityMethod: 'MS',
      },
    ]);
    const { lots } = await listLots(ctx, { page: 1, limit: 20 });
    expect(lots).toMatchObject([
      {
        lot: {
          number: 'D-1',
          supplierName: 'Acme',
          orderId: order.id,
          expirationDate: '2028-05-31',
          purityPercent: '99.2',
          netContentMg: '5.1',
          identityMethod: 'MS',
        },
        vials: [{ lot: 'D-1' }, { lot: 'D-1' }],
      },
    ]);
    // A vial with this number and no supplier belongs to it too.
    const own = await addVial(ctx, { ...OPEN, lot: 'D-1' });
    expect(own.lotId).toBe(lots[0]?.lot.id);
  });
});

describe('a recall by lot', () => {
  it('finds every dose of a lot by its id and its number, and follows vials that change lots', async () => {
    const person = await someone();
    const { ctx } = person;
    const [one, two] = [
      await addVial(ctx, { ...OPEN, lot: 'E-1' }),
      await addVial(ctx, { ...OPEN, lot: 'E-2' }),
    ];
    const first = await take(ctx, one.id);
    const second = await take(ctx, two.id);
    const gone = await take(ctx, one.id);
    await undoDose(ctx, gone.id);
    expect(await dosesOf(person, 'e-1')).toEqual([first.id]);
    expect(await dosesOf(person, one.lotId ?? '')).toEqual([first.id]);
    await updateVial(ctx, two.id, { lot: 'E-1' });
    expect(await dosesOf(person, 'E-1')).toEqual([first.id, second.id].sort());
    expect(await dosesOf(person, 'E-2')).toEqual([]);
    await deleteVial(ctx, one.id);
    expect(await dosesOf(person, 'E-1')).toEqual([first.id, second.id].sort());
    const recall = await findRecall(ctx, person.signedIn.user.id, 'E-1');
    expect(await takenFromLot(ctx, person.signedIn.user.id, recall)).toMatchObject({
      doses: 2,
      parts: [{ name: 'BPC-157' }],
    });
  });

  it('fails with NOT_FOUND for a lot that its owner has never had', async () => {
    const [owner, other] = [await someone(), await someone()];
    const vial = await addVial(owner.ctx, { ...OPEN, lot: 'F-1' });
    const id = other.signedIn.user.id;
    expect(await codeOf(findRecall(other.ctx, id, 'F-1'))).toBe('NOT_FOUND');
    expect(await codeOf(findRecall(other.ctx, id, vial.lotId ?? ''))).toBe('NOT_FOUND');
    expect(await codeOf(findRecall(other.ctx, owner.signedIn.user.id, 'F-1'))).toBe('FORBIDDEN');
  });

  it('is printed by the terminal', async () => {
    const person = await someone();
    const vial = await addVial(person.ctx, { ...OPEN, lot: 'G\u001b[2J1' });
    const dose = await take(person.ctx, vial.id);
    const lot = (number: string, ...more: string[]) =>
      runCli(['lot', number, '--user', person.email, ...more], { env: db.env });
    const told = await lot('g[2J1');
    expect({ code: told.code, stderr: told.stderr }).toEqual({ code: 0, stderr: '' });
    expect(told.stdout).toContain(`(${dose.id})`);
    expect(told.stdout).toContain('Taken from this lot: 1 dose, 0.25 mg in all.');
    expect(told.stdout).toContain('Purity: Not stated');
    expect(told.stdout).not.toContain('\u001b');
    const json = JSON.parse((await lot(vial.lotId ?? '', '--json')).stdout) as object;
    expect(json).toMatchObject({
      doses: [{ id: dose.id, lotMg: 0.25, lotComponents: [{ name: 'BPC-157', mg: 0.25 }] }],
      compounds: [{ id: vial.id }],
      total: 1,
    });
    expect((await lot('G-2')).code).toBe(4);
  });

  it('of a blend counts each component, on the page, over the API and in the terminal', async () => {
    const person = await someone();
    const blend = [
      { name: 'BPC-157', amount: '5' },
      { name: 'TB-500', amount: '10' },
    ];
    const { name: _name, totalAmount: _total, ...open } = OPEN;
    const vial = await addVial(person.ctx, { ...open, components: blend, lot: 'H-1' });
    for (const actualDose of ['0.25', '0.5']) {
      const name = 'BPC-157 + TB-500';
      const dose = { name, actualDose, compoundId: vial.id, confirmed: [...DOSE_WARNINGS] };
      expect((await logDose(person.ctx, dose)).done).toBe(true);
    }
    const recall = await findRecall(person.ctx, person.signedIn.user.id, 'H-1');
    const taken = await takenFromLot(person.ctx, person.signedIn.user.id, recall);
    expect(takenText(taken)).toBe('2 doses, BPC-157 0.75 mg + TB-500 1.5 mg in all');
    const told = await runCli(['lot', 'H-1', '--user', person.email], { env: db.env });
    expect(told.stdout).toContain('Taken from this lot: 2 doses, BPC-157 0.75 mg + TB-500 1.5 mg in all.');
    expect(told.stdout).toContain('BPC-157 0.25 mg + TB-500 0.5 mg');
    const { doses } = await recalledDoses(person.ctx, person.signedIn.user.id, recall, { page: 1, limit: 9 });
    expect(doses.map((dose) => recalledDoseView(dose).lotComponents)).toContainEqual([
      { name: 'BPC-157', mg: 0.5 },
      { name: 'TB-500', mg: 1 },
    ]);
    // As for every dose: the amount taken of each component, in the unit of the dose.
    const views = doses.map(recalledDoseView);
    expect(views.map(({ doseOf }) => doseOf)).toEqual(['BPC-157', 'BPC-157']);
    expect(views.map(({ components }) => components)).toContainEqual([
      { name: 'BPC-157', dose: 0.25 },
      { name: 'TB-500', dose: 0.5 },
    ]);
  });

  it('warns about the expiry of sealed vials, before and after the date', async () => {
    const person = await someone();
    const { reconstitutionDate: _day, waterMl: _water, ...sealed } = OPEN;
    const vial = await addVial(person.ctx, { ...sealed, lot: 'I-1' });
    const ownerId = person.signedIn.user.id;
    const today = calendarDay(person.ctx.now(), 'UTC');
    const alertsWhen = async (expirationDate: string | null) => {
      await updateLot(person.ctx, vial.lotId ?? '', { expirationDate });
      return (await stockAlerts(person.ctx, ownerId)).map(({ message }) => message);
    };
    expect(await alertsWhen(null)).toEqual([]);
    expect(await alertsWhen(dayAfter(today, 8))).toEqual([]);
    expect(await alertsWhen(dayAfter(today, 7))).toEqual([
      `Sealed vials of lot I-1 (BPC-157) can be used until ${shownDay(dayAfter(today, 7))}.`,
    ]);
    const past = `Sealed vials of lot I-1 (BPC-157) are past their date (${shownDay(dayAfter(today, -1))}).`;
    expect(await alertsWhen(dayAfter(today, -1))).toEqual([past]);
    // The terminal uses the real clock.
    await updateLot(person.ctx, vial.lotId ?? '', { expirationDate: '2020-01-01' });
    const told = await runCli(['lot', 'I-1', '--user', person.email], { env: db.env });
    expect(told.stdout).toContain('! Sealed vials of lot I-1 (BPC-157) are past their date (1 Jan 2020).');
    // For an opened vial, the 28 days count instead.
    await updateVial(person.ctx, vial.id, { reconstitutionDate: today, waterMl: '2' });
    expect(await stockAlerts(person.ctx, ownerId)).toEqual([]);
  });
});
