import { COMPONENT_MESSAGES, findComponent } from '#app/domain/calculator/components.ts';
import { AppError } from '#app/domain/errors.ts';
import type { ScheduleFields } from '#app/domain/schedules/schedule-schema.ts';
import { partOn, swapOn } from '#app/domain/schedules/swaps.ts';
import { instantsOfDays } from '#app/domain/time/zoned-time.ts';
import { blendOf, findDosed, isSameBlend, type Blend } from '#app/domain/vials/contents.ts';
import { isFinal, type Vial } from '#app/domain/vials/vial.ts';
import type { ScheduleRecord } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/**
 * What a plan draws from, when that is a blend: the vial that it names, else the components that it gives, else those of the
 * owner's vial with its name.
 * @throws AppError INVALID_INPUT for a dose of something that it does not hold
 */
export async function blendOfPlan(
  ctx: Ctx,
  ownerId: string,
  { name, components, doseOf }: Pick<ScheduleFields, 'name' | 'components' | 'doseOf'>,
  vial: Vial | null,
): Promise<Blend | null> {
  const asked = { name: name ?? '', doseOf };
  const source = vial ?? (components ? { components } : await namesakeOf(ctx, ownerId, asked.name));
  const blend = source === null ? null : blendOf(source, asked);
  if (doseOf === undefined || doseOf === null) return blend;
  const known = blend?.components ?? [{ name: asked.name }];
  if (findComponent(known, doseOf) >= 0) return blend;
  const message =
    blend === null
      ? COMPONENT_MESSAGES.doseOfNone
      : `${COMPONENT_MESSAGES.doseOf}: ${known.map((component) => component.name).join(', ')}`;
  throw new AppError('INVALID_INPUT', message, { fields: { doseOf: [message] } });
}

/** The blend that the owner's active vials of a name are; null where one of them is a single peptide. */
async function namesakeOf(ctx: Ctx, ownerId: string, name: string): Promise<Vial | null> {
  const vials = await ctx.repos.compounds.forDose(ownerId, name, []);
  return vials.every(({ components }) => components !== undefined) ? (vials[0] ?? null) : null;
}

/** The last day that a schedule can have. */
const LAST_DAY = '9999-12-31';

/** What a swap can change about the vial of a plan. */
type VialPlan = Parameters<typeof partOn>[0] & Pick<ScheduleRecord, 'endsWithVial' | 'timeZone'>;

/**
 * The vial that a plan draws from in the end, after all its swaps, and the first day (YYYY-MM-DD) on which it does; null day
 * without a swap. Null where it draws from any open vial.
 */
export function lastVialOf(plan: VialPlan): { id: string; fromDay: string | null } | null {
  const { compoundId } = partOn(plan, LAST_DAY);
  return compoundId === null
    ? null
    : { id: compoundId, fromDay: swapOn(plan.swaps, LAST_DAY)?.fromDay ?? null };
}

/** When a schedule stopped because its vial was used up: now, if that is news; null when it goes on. */
async function vialStop(ctx: Ctx, schedule: ScheduleRecord): Promise<Date | null> {
  const { userId, endsWithVial, stopsAt = null, swaps, timeZone } = schedule;
  if (endsWithVial !== true) return null;
  const last = lastVialOf(schedule);
  // An import may not know the vial that a plan ended with.
  if (last === null) return (swaps ?? []).length > 0 ? null : stopsAt;
  const vial = await ctx.repos.compounds.find(userId, last.id);
  if (vial !== null && !isFinal(vial)) return null;
  if (stopsAt !== null) return stopsAt;
  // Until it draws from that vial, others last.
  const begin = last.fromDay === null ? null : instantsOfDays(last.fromDay, last.fromDay, timeZone).from;
  const now = ctx.now();
  return begin !== null && begin > now ? begin : now;
}

/** What a plan, or one of its swaps, says of the vial that it names. */
type VialPart = Pick<ScheduleRecord, 'name' | 'compoundId' | 'blend'>;

/** The vials that a schedule names, now and after its swaps. */
const partsOf = (schedule: ScheduleRecord): readonly VialPart[] => [schedule, ...(schedule.swaps ?? [])];

/** What a part draws from by the label of its vial; as the plan has it where the vial is gone, or no longer has its component. */
function blendByLabel({ name, compoundId, blend = null }: VialPart, vials: readonly Vial[]): Blend | null {
  const vial = vials.find(({ id }) => id === compoundId);
  if (vial?.components === undefined) return blend;
  const asked = { name, doseOf: blend?.doseOf, renamedFrom: blend?.components };
  return findDosed(vial.components, asked) < 0 ? blend : blendOf(vial, asked);
}

/** What of a schedule the labels of its vials say differently by now; nothing of most. */
async function contentsByLabel(
  ctx: Ctx,
  schedule: ScheduleRecord,
): Promise<Pick<Partial<ScheduleRecord>, 'blend' | 'swaps'>> {
  const ids = partsOf(schedule).flatMap(({ compoundId }) => (compoundId === null ? [] : [compoundId]));
  if (ids.length === 0) return {};
  const vials = await ctx.repos.compounds.listById(schedule.userId, [...new Set(ids)]);
  const isOther = (part: VialPart) => !isSameBlend(blendByLabel(part, vials), part.blend);
  if (!partsOf(schedule).some(isOther)) return {};
  const swaps = schedule.swaps?.map((swap) => ({ ...swap, blend: blendByLabel(swap, vials) }));
  return { blend: blendByLabel(schedule, vials), ...(swaps && { swaps }) };
}

/**
 * Makes a schedule follow its vials: one that ends with its vial stops when that is used up, and goes on when the vial has
 * something in it again; one of a blend has the names and amounts that are on the label.
 * @returns the schedule as it is then; null when somebody else changed it meanwhile
 */
export async function followVials(ctx: Ctx, schedule: ScheduleRecord): Promise<ScheduleRecord | null> {
  const { userId, id, revision, stopsAt: before = null } = schedule;
  const stopsAt = await vialStop(ctx, schedule);
  const isStop = stopsAt?.getTime() !== before?.getTime();
  const changes = { ...(await contentsByLabel(ctx, schedule)), ...(isStop && { stopsAt }) };
  if (Object.keys(changes).length === 0) return schedule;
  const now = ctx.now();
  return ctx.repos.schedules.revise(userId, id, revision, { ...changes, updatedAt: now, madeUntil: now });
}

/**
 * Before a vial is used up, or has something in it again: should what follows be cut off, the worker finds the schedules that
 * end with it.
 */
export async function expectVialEnd(ctx: Ctx, ownerId: string, vialId: string): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const madeUntil = ctx.now();
  for (const { id } of await listEndingWith(ctx, ownerId, vialId))
    await ctx.repos.schedules.set(ownerId, id, { madeUntil });
}

/** An owner's schedules that end with a vial. */
export async function listEndingWith(ctx: Ctx, ownerId: string, vialId: string): Promise<ScheduleRecord[]> {
  const ending = await ctx.repos.schedules.listEndingWithVial(ownerId);
  return ending.filter((schedule) => lastVialOf(schedule)?.id === vialId);
}

/**
 * Before the label of a vial changes: should what follows be cut off, the worker finds the schedules that draw from it.
 */
export async function expectRelabel(ctx: Ctx, ownerId: string, vialId: string): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const madeUntil = ctx.now();
  for (const { id } of await listDrawingFrom(ctx, ownerId, vialId))
    await ctx.repos.schedules.set(ownerId, id, { madeUntil });
}

/** An owner's running schedules that name a vial. One that is paused follows when it goes on. */
export async function listDrawingFrom(ctx: Ctx, ownerId: string, vialId: string): Promise<ScheduleRecord[]> {
  const running = await ctx.repos.schedules.listActive(ownerId);
  return running.filter((schedule) => partsOf(schedule).some(({ compoundId }) => compoundId === vialId));
}
