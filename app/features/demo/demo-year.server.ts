import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import {
  BLEND,
  CERTIFICATES,
  CONTAINERS,
  DAILY,
  EFFECTS,
  MISSED_WEEK,
  ORDERS,
  STORY_DAYS,
  storyNumbers,
  SUPPLIERS,
  WEEKLY,
  weightOf,
  type StoryCompound,
  type StoryContainer,
  type StoryOrder,
} from '#app/domain/demo/story.ts';
import { DEFAULT_SYRINGE, substanceUnitOf } from '#app/domain/calculator/calculation.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { occurrences } from '#app/domain/schedules/occurrences.ts';
import { scheduleSchema } from '#app/domain/schedules/schedule-schema.ts';
import { DAY_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';
import {
  calendarDay,
  dayAfter,
  daysBefore,
  daysBetween,
  instantOfWallTime,
} from '#app/domain/time/zoned-time.ts';
import { SITE_IDS, type SiteId } from '#app/domain/tracking/sites.ts';
import { baseUnitText } from '#app/domain/units/quantity.ts';
import {
  discardAll,
  recalculated,
  takeFrom,
  planDraws,
  type DrawPlan,
  type DrawRequest,
} from '#app/domain/vials/stock.ts';
import { isFinal, type VialWithLedger, isPastDate } from '#app/domain/vials/vial.ts';
import { saveCalculation } from '#app/features/calculator/index.server.ts';
import { stockKey, takenChanges } from '#app/features/doses/index.server.ts';
import { listLots, updateLot } from '#app/features/lots/index.server.ts';
import {
  createSchedule,
  generateDoses,
  newDose,
  toScheduleFacts,
} from '#app/features/schedules/index.server.ts';
import { addSideEffect, saveNutrition, siteEntryOfDose } from '#app/features/tracking/index.server.ts';
import {
  addOrder,
  addProduct,
  addSupplier,
  receiveOrder,
  stepOrder,
  updateProduct,
} from '#app/features/vendors/index.server.ts';
import { addVial, drawEntryId } from '#app/features/vials/index.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import type { DoseDraw, DoseRecord, ScheduleRecord } from '#models/index.server.ts';
import { repos } from './repositories.server.ts';

/** Where the year is written, and the dates in its owner's zone. */
interface Story {
  ctx: Ctx;
  user: SignedInUser;
  /** The last day. */
  today: string;
  /** The day on which the schedules start. */
  first: string;
  next: () => number;
}

/** The context at an earlier moment. */
const at = (ctx: Ctx, instant: Date): Ctx => ({ ...ctx, now: () => instant });

/** A time of day, `day` days after the start. */
const momentOf = ({ first, user }: Story, day: number, time: string): Date =>
  instantOfWallTime(dayAfter(first, day), time, user.timeZone);

/** Marks rows written in bulk, which belong to no import that could be undone. */
const SOURCE = 'demo';

/**
 * Writes a year of data into the signed-in user's empty account, relative to now and to their zone. Rare events go
 * through the ordinary operations, at the time they are supposed to have happened. The many doses use the same functions
 * but are written in bulk.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function writeYear(ctx: Ctx): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'stock.draw');
  const today = calendarDay(ctx.now(), user.timeZone);
  const story: Story = { ctx, user, today, first: daysBefore(today, STORY_DAYS), next: storyNumbers(20_260) };
  await writeOrders(story);
  await writeCertificates(story);
  for (const compound of [WEEKLY, DAILY]) await writePlan(story, compound);
  for (const container of CONTAINERS) await writeContainer(story, container);
  await Promise.all([writeWeights(story), writeEffects(story), writeDays(story), writeCalculations(story)]);
}

/** Suppliers, their prices, and the orders that arrived as sealed vials. */
async function writeOrders(story: Story): Promise<void> {
  const { ctx } = story;
  const begin = at(ctx, momentOf(story, -20, '18:00'));
  const { id: supplierId } = await addSupplier(begin, SUPPLIERS.chosen);
  const { id: otherId } = await addSupplier(begin, SUPPLIERS.other);
  const product = ({ name, vialMg }: StoryCompound, price: string) =>
    ({ name, mgPerVial: vialMg, price, currency: 'USD' }) as const;
  await addProduct(begin, otherId, product(WEEKLY, '52.00'));
  await addProduct(begin, otherId, product(DAILY, '19.50'));
  const products: { id: string; compound: StoryCompound }[] = [];
  for (const compound of [WEEKLY, DAILY])
    products.push({ id: (await addProduct(begin, supplierId, product(compound, '38.00'))).id, compound });
  for (const order of ORDERS) {
    const when = at(ctx, momentOf(story, STORY_DAYS - order.daysAgo, '18:30'));
    const priceOf = ({ name }: StoryCompound) =>
      name === WEEKLY.name ? order.price.weekly : order.price.daily;
    for (const { id, compound } of products)
      await updateProduct(when, id, product(compound, priceOf(compound)));
    await writeOrder(story, order, {
      supplierId,
      lines: [
        { ...product(WEEKLY, order.price.weekly), quantity: order.vials.weekly },
        { ...product(DAILY, order.price.daily), quantity: order.vials.daily },
      ],
    });
  }
}

async function writeOrder(
  story: Story,
  { daysAgo, days, lots }: StoryOrder,
  input: Parameters<typeof addOrder>[1],
): Promise<void> {
  const { ctx } = story;
  const day = STORY_DAYS - daysAgo;
  const { id } = await addOrder(at(ctx, momentOf(story, day, '18:35')), input);
  await stepOrder(at(ctx, momentOf(story, day, '18:40')), id, 'sent');
  if (days === null) return;
  await stepOrder(at(ctx, momentOf(story, day + 1, '10:05')), id, 'confirmed');
  await receiveOrder(at(ctx, momentOf(story, day + days, '16:20')), id, [
    { lot: lots.weekly },
    { lot: lots.daily },
  ]);
}

/** Adds the certificates of some lots, a week after the last parcel arrived. */
async function writeCertificates(story: Story): Promise<void> {
  const ctx = at(story.ctx, momentOf(story, STORY_DAYS - 75, '19:00'));
  const { lots } = await listLots(ctx, { page: 1, limit: 20 });
  for (const { lot } of lots) {
    const certificate = CERTIFICATES[lot.number];
    if (certificate === undefined) continue;
    await updateLot(ctx, lot.id, {
      ...certificate,
      identityMethod: 'LC-MS',
      laboratory: 'Example Analytics',
      testedOn: daysBefore(story.today, 85),
    });
  }
}

/** A schedule with its taken, skipped and missed doses, and the vials they came from. */
async function writePlan(story: Story, compound: StoryCompound): Promise<void> {
  const { ctx, user } = story;
  const schedule = scheduleOf(story, compound);
  await repos(ctx).schedules.create(schedule);
  const vials = (await repos(ctx).vials.listActive(user.id)).filter(({ name }) => name === compound.name);
  const sealed = await Promise.all(
    vials
      .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1))
      .map(async ({ id }) => repos(ctx).vials.findWithSlot(user.id, id)),
  );
  const cabinet = new Cabinet(
    story,
    compound,
    sealed.flatMap((found) => (found === null ? [] : [found.vial])),
  );
  const doses = dosesOf(story, { compound, schedule, cabinet });
  await writeTaken(story, doses);
  await Promise.all(
    sealed.map(async (before) => {
      const after = before && cabinet.find(before.vial.id);
      if (!before || !after || after === before.vial) return;
      await repos(ctx).vials.replace(before.vial, after, before.slot);
    }),
  );
  await repos(ctx).rowQuota.add(user.id, doses.length * 2 + 1);
  await generateDoses(ctx, user.id, schedule.id);
}

function scheduleOf(story: Story, { name, notes, plan }: StoryCompound): ScheduleRecord {
  const { ctx, user, first } = story;
  const begin = momentOf(story, -1, '19:00');
  const { saveKey: _saveKey, ...fields } = parseInput(scheduleSchema, {
    name,
    notes,
    startDate: first,
    ...plan,
  });
  const now = ctx.now();
  return {
    id: idFromKey('sched', begin, user.id, `${SOURCE} ${name}`),
    userId: user.id,
    ...toScheduleFacts(fields, { timeZone: user.timeZone, lead: 0, now: begin }),
    isActive: true,
    nextDoseDate: null,
    lastDoseDate: null,
    createdAt: begin,
    updatedAt: begin,
    revision: 1,
    madeUntil: now,
    claimedUntil: null,
    keptIn: null,
  };
}

/** Where doses come from. */
interface Source {
  /** What comes out of which vial for a dose that is taken now. */
  draw(dose: DoseRecord, takenAt: Date): Pick<DrawPlan, 'draws' | 'blend'>;
  /** Writes the draws of a dose into the ledgers of its vials. */
  take(dose: DoseRecord, takenAt: Date): void;
}

/** The vials of a compound in the order they are opened: one is in use, the last ones are still sealed. */
class Cabinet implements Source {
  private readonly vials: Map<string, VialWithLedger>;
  private readonly sealed: string[];
  private openId: string | null = null;
  private openedWeek = 0;

  constructor(
    private readonly story: Story,
    private readonly compound: StoryCompound,
    vials: readonly VialWithLedger[],
  ) {
    this.vials = new Map(vials.map((vial) => [vial.id, vial]));
    this.sealed = vials.map(({ id }) => id);
  }

  find(id: string): VialWithLedger | undefined {
    return this.vials.get(id);
  }

  private get open(): VialWithLedger | undefined {
    return this.openId === null ? undefined : this.vials.get(this.openId);
  }

  /** Reconstitutes a new vial first when it is time. */
  draw(dose: DoseRecord, takenAt: Date): Pick<DrawPlan, 'draws' | 'blend'> {
    const { localDay: day } = dose;
    const week = Math.floor(daysBetween(this.story.first, day) / 7);
    const { open } = this;
    const isOver =
      open === undefined ||
      isFinal(open) ||
      isPastDate(open, day) ||
      week >= this.openedWeek + this.compound.weeksPerVial ||
      Number(open.remaining) < Number(amountOf(dose));
    if (isOver) this.openNext(day, takenAt, week);
    return planDraws(this.open === undefined ? [] : [this.open], drawRequestOf(dose));
  }

  private openNext(day: string, before: Date, week: number): void {
    const { open, compound } = this;
    const minutesBefore = (minutes: number) => new Date(before.getTime() - minutes * MINUTE_MS);
    if (open !== undefined && !isFinal(open))
      this.vials.set(
        open.id,
        discardAll(open, {
          id: `${SOURCE}:discard`,
          at: minutesBefore(12),
          reason: 'Past its beyond-use date',
        }),
      );
    const id = this.sealed.shift();
    const vial = id === undefined ? undefined : this.vials.get(id);
    if (vial === undefined) return;
    const mixed = recalculated({ ...vial, waterMl: compound.waterMl, reconstitutionDate: day });
    this.vials.set(vial.id, mixed);
    this.openId = vial.id;
    this.openedWeek = week;
  }

  take(dose: DoseRecord, takenAt: Date): void {
    for (const draw of dose.draws) {
      const vial = this.vials.get(draw.compoundId);
      if (vial !== undefined) this.vials.set(vial.id, takenFrom(vial, dose, draw, takenAt));
    }
  }
}

/** A single vial or pen, from which all doses of its schedule come. */
class OpenContainer implements Source {
  constructor(public vial: VialWithLedger) {}

  draw(dose: DoseRecord): Pick<DrawPlan, 'draws' | 'blend'> {
    return planDraws([this.vial], drawRequestOf(dose));
  }

  take(dose: DoseRecord, takenAt: Date): void {
    for (const draw of dose.draws) this.vial = takenFrom(this.vial, dose, draw, takenAt);
  }
}

/** The amount of a dose in mg or IU. */
const amountOf = ({ doseAmount, doseUnit }: DoseRecord): string => baseUnitText(doseAmount, doseUnit);

const drawRequestOf = (dose: DoseRecord): DrawRequest => ({
  name: dose.name,
  doseOf: dose.blend?.doseOf,
  components: dose.blend?.components,
  doseMg: amountOf(dose),
  measure: substanceUnitOf(dose.doseUnit),
  preferredCompoundId: dose.compoundId,
  day: dose.localDay,
  syringe: DEFAULT_SYRINGE,
});

const takenFrom = (vial: VialWithLedger, dose: DoseRecord, draw: DoseDraw, takenAt: Date): VialWithLedger =>
  takeFrom(vial, { ...draw, id: drawEntryId(stockKey(dose), draw.compoundId), at: takenAt });

/** Today's weekly dose is always left for the visitor to log. */
const isLeftToVisitor = (compound: StoryCompound, day: string, today: string): boolean =>
  day === today && compound.name === WEEKLY.name;

interface Planned {
  compound: StoryCompound;
  schedule: ScheduleRecord;
  cabinet: Cabinet;
}

function dosesOf(story: Story, { compound, schedule, cabinet }: Planned): DoseRecord[] {
  const { ctx, today, first, next } = story;
  const now = ctx.now();
  const from = new Date(momentOf(story, 0, '00:00').getTime() - DAY_MS);
  const doses: DoseRecord[] = [];
  for (const occurrence of occurrences(schedule, { from, to: now })) {
    const dose = { ...newDose(schedule, occurrence, now), remindAt: null };
    const [chance, delay, place] = [next(), next(), next()];
    const week = Math.floor(daysBetween(first, occurrence.localDay) / 7);
    const takenAt = new Date(
      Math.min(now.getTime(), occurrence.dueDate.getTime() + Math.floor(delay * 40) * MINUTE_MS),
    );
    if (isLeftToVisitor(compound, occurrence.localDay, today)) doses.push(dose);
    else if (week === MISSED_WEEK) doses.push({ ...dose, status: 'missed' });
    else if (chance * compound.skippedOneIn < 1 && week > 4) doses.push(skipped(dose, takenAt));
    else doses.push(taken(dose, takenAt, { source: cabinet, site: siteFor(doses.length, place) }));
  }
  return doses;
}

/** A container that was opened some weeks ago, and its schedule with doses on some evenings. */
async function writeContainer(
  story: Story,
  { daysAgo, vial, isPowder, plan: planned }: StoryContainer,
): Promise<void> {
  const { ctx, user, first } = story;
  const now = ctx.now();
  const day = STORY_DAYS - daysAgo;
  const startDate = dayAfter(first, day);
  const { id: compoundId } = await addVial(at(ctx, momentOf(story, day, '18:10')), {
    ...vial,
    ...(isPowder && { reconstitutionDate: startDate }),
  });
  const saveKey = `${SOURCE} ${String(vial.name)}`;
  const plan = { ...planned, compoundId, startDate, saveKey, confirm: true };
  const { id: scheduleId } = await createSchedule(at(ctx, momentOf(story, day, '18:20')), plan);
  const opened = await repos(ctx).vials.findWithSlot(user.id, compoundId);
  const due = await repos(ctx).doses.list(user.id, { scheduleId, before: now });
  const [earliest] = due;
  if (opened === null || earliest === undefined) return;
  const container = new OpenContainer(opened.vial);
  const doses = due.map((dose, count) => {
    const takenAt = new Date(Math.min(now.getTime(), dose.dueDate.getTime() + 10 * MINUTE_MS));
    return taken(dose, takenAt, { source: container, site: siteFor(count, 1) });
  });
  await repos(ctx).doses.deletePendingBetween(user.id, scheduleId, { from: earliest.dueDate, before: now });
  await writeTaken(story, doses);
  await repos(ctx).vials.replace(opened.vial, container.vial, opened.slot);
  await repos(ctx).rowQuota.add(user.id, doses.length);
  await generateDoses(ctx, user.id, scheduleId);
}

/** Rotates through the sites, with an occasional jump. */
function siteFor(count: number, chance: number): SiteId {
  const step = chance < 0.1 ? 5 : 0;
  return SITE_IDS[(count + step) % 8] ?? SITE_IDS[0];
}

function skipped(dose: DoseRecord, actedAt: Date): DoseRecord {
  const before = { status: 'pending', notes: null } as const;
  return { ...dose, status: 'skipped', notes: 'Travelling', before, actedAt, version: 1 };
}

function taken(dose: DoseRecord, takenAt: Date, how: { source: Source; site: SiteId }): DoseRecord {
  const { source, site } = how;
  const { id, name, doseAmount, doseUnit, scheduleId, blend = null } = dose;
  const plan = source.draw(dose, takenAt);
  const draws = plan.draws.map(({ compoundId, mg, component }) => ({
    ...{ compoundId, mg },
    ...(component !== undefined && { component }),
  }));
  const intake = {
    ...{ id, name, amount: doseAmount, doseUnit, takenAt, scheduleId, syringe: DEFAULT_SYRINGE },
    ...{ planned: { text: doseAmount, unit: doseUnit }, namedVial: null, preferredVial: dose.compoundId },
    ...{ blend, doseOf: blend?.doseOf ?? null },
  };
  const { remindClaim: _claim, ...changes } = takenChanges(
    dose,
    intake,
    { draws, plan },
    { site, now: takenAt },
  );
  const before = { status: 'pending', notes: null } as const;
  const logged: DoseRecord = { ...dose, ...changes, before, actedAt: takenAt, version: 1 };
  source.take(logged, takenAt);
  return logged;
}

/** Adds doses with what follows from those that were taken, but for the ledgers of their vials. */
async function writeTaken(story: Story, doses: readonly DoseRecord[]): Promise<void> {
  const { ctx, user } = story;
  await repos(ctx).doses.createMany(user.id, doses);
  await repos(ctx).doses.addDraws(
    user.id,
    doses.filter(({ draws }) => draws.length > 0),
  );
  await writeSites(story, doses);
}

/** The site log of the taken doses. */
async function writeSites({ ctx, user }: Story, doses: readonly DoseRecord[]): Promise<void> {
  const rows = doses.flatMap((dose) => {
    const { id, site, takenAt, name, actualDose, doseUnit, draws } = dose;
    if (site === null || takenAt === null) return [];
    const entryId = siteEntryOfDose(ctx, user.id, id);
    const what = { name, dose: actualDose, doseUnit, compoundId: draws[0]?.compoundId ?? null, volume: null };
    const row = { _id: entryId, userId: user.id, site: site as SiteId, takenAt, ...what };
    return [{ row: { ...row, pain: null, notes: null, doseId: id, createdAt: takenAt }, knownAs: [] }];
  });
  await repos(ctx).importedInjectionSites.createMissing(SOURCE, user.id, rows);
}

/** One weight a week. */
async function writeWeights(story: Story): Promise<void> {
  const { ctx, user, next } = story;
  const rows = Array.from({ length: STORY_DAYS / 7 }, (_, week) => {
    const measuredAt = momentOf(story, week * 7, '07:10');
    const text = weightOf(week, next());
    const _id = idFromKey('health', measuredAt, user.id, `${SOURCE} weight ${week}`);
    const measured = { metric: 'weight', measuredAt, value: Number(text), text, unit: 'kg', notes: null };
    return { _id, userId: user.id, ...measured, createdAt: measuredAt };
  });
  await repos(ctx).measurements.createMissing(rows);
  await repos(ctx).rowQuota.add(user.id, rows.length);
}

async function writeEffects(story: Story): Promise<void> {
  const { ctx } = story;
  for (const { day, days, name, severity, notes } of EFFECTS) {
    const begun = momentOf(story, day, '14:00');
    const over = new Date(begun.getTime() + days * DAY_MS);
    await addSideEffect(at(ctx, over), {
      ...{ name, severity, startedAt: begun.toISOString(), resolvedDate: over.toISOString() },
      ...(notes !== undefined && { notes }),
    });
  }
}

/** The nutrition of the last days. */
async function writeDays({ ctx, today, next }: Story): Promise<void> {
  for (let ago = 10; ago >= 1; ago -= 1) {
    const [calories, protein] = [1750 + Math.round(next() * 40) * 10, 120 + Math.round(next() * 30)];
    await saveNutrition(ctx, { date: daysBefore(today, ago), calories, protein: String(protein) });
  }
}

/** One calculation for each compound, and one of a blend. */
async function writeCalculations(story: Story): Promise<void> {
  const common = { solveFor: 'volume', syringe: DEFAULT_SYRINGE, displacement: '0' } as const;
  const of = ({ name, vialMg, waterMl }: StoryCompound, desiredDose: string, desiredDoseUnit: DoseUnit) => ({
    ...common,
    ...{ peptideName: name, peptideAmount: vialMg, waterVolume: waterMl, desiredDose, desiredDoseUnit },
  });
  const [first] = BLEND.components;
  const blend = { ...common, ...BLEND, peptideAmount: first.amount, desiredDoseUnit: 'mcg' } as const;
  const made = [
    { day: 0, input: of(WEEKLY, '0.25', 'mg') },
    { day: 0, input: of(DAILY, '250', 'mcg') },
    { day: 112, input: of(WEEKLY, '1.25', 'mg') },
    { day: STORY_DAYS - 4, input: blend },
  ] as const;
  for (const [place, { day, input }] of made.entries())
    await saveCalculation(story.ctx, input, {
      madeAt: momentOf(story, day - 1, '19:30'),
      saveKey: `${SOURCE} ${place}`,
    });
}
