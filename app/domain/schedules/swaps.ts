import * as z from 'zod';
import { MAX_NAME_LENGTH } from '#app/domain/forms/text-fields.ts';
import { isCalendarDay } from '#app/domain/time/calendar.ts';
import { blendOf, isSameBlend, type Blend } from '#app/domain/vials/contents.ts';
import { componentsField } from '#app/domain/vials/vial-schema.ts';
import { componentsText } from '#app/domain/calculator/components.ts';

/** Most swaps that a schedule remembers. */
export const MAX_SWAPS = 50;

/** From a day on a schedule is about another compound or vial. Doses before it keep what they were. */
export interface ScheduleSwap {
  readonly id: string;
  /** The first calendar day (YYYY-MM-DD, of the schedule's zone) on which it holds. No two swaps have the same. */
  readonly fromDay: string;
  readonly name: string;
  /** Vial to draw from first; null for any open one of the name. */
  readonly compoundId: string | null;
  /** What it is drawn from, when that is known to be a blend. */
  readonly blend?: Blend | null;
  /** Decimal text in the schedule's unit, in place of dose and ramp; null while the schedule's own dose goes on. */
  readonly doseAmount: string | null;
  readonly madeAt: Date;
}

type Swaps = readonly ScheduleSwap[] | null | undefined;

/** The swap in force on a calendar day; null before the first one. */
export function swapOn(swaps: Swaps, day: string): ScheduleSwap | null {
  return (swaps ?? []).reduce<ScheduleSwap | null>(
    (last, swap) => (swap.fromDay <= day && (last === null || swap.fromDay > last.fromDay) ? swap : last),
    null,
  );
}

/** What a schedule is about, which a swap changes. */
interface Swappable {
  readonly name: string;
  readonly compoundId: string | null;
  readonly blend?: Blend | null;
  readonly doseAmount: string;
  readonly ramp: object | null;
  readonly swaps?: Swaps;
}

/** A schedule as it is on a calendar day: its compound, vial and dose are those of the swap in force. */
export function partOn<S extends Swappable>(schedule: S, day: string): S {
  const swap = swapOn(schedule.swaps, day);
  if (swap === null) return schedule;
  const { name, compoundId, blend = null, doseAmount } = swap;
  return { ...schedule, name, compoundId, blend, ...(doseAmount !== null && { doseAmount, ramp: null }) };
}

/** What a schedule's doses of a calendar day are drawn from, when that is a blend. */
export const blendOn = (
  { blend, swaps }: { blend?: Blend | null | undefined; swaps?: Swaps },
  day: string,
): Blend | null => (swapOn(swaps, day) ?? { blend }).blend ?? null;

/** Whether two parts of a schedule are about the same. */
export const isSamePart = (a: Swappable, b: Swappable): boolean =>
  a.name === b.name &&
  a.compoundId === b.compoundId &&
  a.doseAmount === b.doseAmount &&
  JSON.stringify(a.ramp) === JSON.stringify(b.ramp) &&
  isSameBlend(a.blend, b.blend);

/** The swaps with one more, which takes the place of another one of the same day. */
export function withSwap(swaps: Swaps, swap: ScheduleSwap): ScheduleSwap[] {
  const others = (swaps ?? []).filter(({ fromDay }) => fromDay !== swap.fromDay);
  return [...others, swap].sort((a, b) => (a.fromDay < b.fromDay ? -1 : 1));
}

/** A swap as an export carries it. */
export type ExportedSwap = Pick<ScheduleSwap, 'fromDay' | 'name' | 'compoundId' | 'blend' | 'doseAmount'>;

/** Swaps as an export carries them: a list in JSON; '' without any. */
export function swapsCell(swaps: Swaps): string {
  const list = (swaps ?? []).map(({ fromDay, name, compoundId, blend, doseAmount }) => ({
    fromDay,
    name,
    compoundId,
    doseAmount,
    ...(blend && { components: componentsText(blend.components), doseOf: blend.doseOf }),
  }));
  return list.length === 0 ? '' : JSON.stringify(list);
}

const exportedSwaps = z
  .array(
    z.object({
      fromDay: z.string().refine(isCalendarDay),
      name: z.string().trim().min(1).max(MAX_NAME_LENGTH),
      compoundId: z.string().max(100).nullable(),
      doseAmount: z
        .string()
        .regex(/^(?!0*\.?0*$)\d{1,6}(\.\d{1,20})?$/)
        .nullable(),
      components: componentsField,
      doseOf: z.string().max(MAX_NAME_LENGTH).optional(),
    }),
  )
  .max(MAX_SWAPS)
  .refine((swaps) => new Set(swaps.map(({ fromDay }) => fromDay)).size === swaps.length);

/** Reads what `swapsCell` wrote. @returns null for anything else */
export function readSwaps(text: string): ExportedSwap[] | null {
  if (text === '') return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const read = exportedSwaps.safeParse(value);
  if (!read.success) return null;
  const swaps = read.data.map(({ components, doseOf, ...swap }) => {
    const blend = blendOf({ components }, { doseOf, name: swap.name });
    return { ...swap, ...(blend && { blend }) };
  });
  return swaps.sort((a, b) => (a.fromDay < b.fromDay ? -1 : 1));
}
