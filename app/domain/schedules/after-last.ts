import { HOUR_MS } from '#app/domain/time/calendar.ts';
import type { DoseStatus } from '#app/domain/doses/dose.ts';
import { afterPauses, type PlannedPause } from './pauses.ts';

/** How a dose hangs together with others of a schedule that counts from the last dose taken. */
export interface DoseChain {
  /** Id of the dose before it; null for the first one. */
  readonly after: string | null;
  /** Hours after the last one taken taken, as its schedule said when it was made. */
  readonly everyHours: number;
}

/** The part of a dose that the next one depends on. */
export interface ChainedDose {
  readonly id: string;
  readonly status: DoseStatus;
  readonly dueDate: Date;
  readonly takenAt: Date | null;
  /** Set when a person changed it. */
  readonly before?: object | null;
  /** When that was. */
  readonly actedAt?: Date | null;
  /** When it became missed by itself. */
  readonly missAt?: Date | null;
  readonly chain?: DoseChain | null;
}

/** What the next dose of a schedule follows from, beside the doses. */
export interface ChainPlan {
  readonly everyHours: number;
  readonly firstDueAt: Date;
  /** When a dose was last taken that is not known here, because the schedule was imported. */
  readonly lastTakenBefore: Date | null;
  /** When doses are due that were moved by hand, by the id of the dose before them ("none" for the first). */
  readonly movedTo?: ReadonlyMap<string, Date>;
  /** No dose is due before this instant, at which the schedule was resumed; null when it never was. */
  readonly resumedAt: Date | null;
  /** Days on which no dose is due, on the calendar of a zone. */
  readonly pauses?: readonly PlannedPause[] | null;
  /** No dose is due from this instant on, moved or not: the vial with which the schedule ends was used up. */
  readonly stopsAt?: Date | null;
  readonly timeZone: string;
}

const later = (a: Date | null, b: Date | null) => (a === null || (b !== null && b > a) ? b : a);

const latest = (dates: readonly (Date | null)[]) => dates.reduce<Date | null>(later, null);

/** When a dose was skipped or became missed. */
function leftOutAt({ before, actedAt, missAt, dueDate }: ChainedDose): Date {
  const at = (before ?? null) === null ? missAt : actedAt;
  return at ?? dueDate;
}

/** The place in time of a dose that was left out: when it was due, or when it was skipped before that. */
const placeOf = (dose: ChainedDose) => Math.min(dose.dueDate.getTime(), leftOutAt(dose).getTime());

/**
 * When the next dose is due: so many hours after the last one taken. When a later one was left out, it is as many hours
 * after that one was due, in whole intervals up to when it was left out, so that doses never pile up.
 */
function nextDueAt(doses: readonly ChainedDose[], plan: ChainPlan): Date {
  const step = plan.everyHours * HOUR_MS;
  const taken = doses.filter(({ status }) => status === 'taken').map(({ takenAt }) => takenAt);
  const lastTaken = latest([plan.lastTakenBefore, ...taken]);
  const [leftOut] = doses
    .filter(({ status }) => status === 'missed' || status === 'skipped')
    .sort((a, b) => placeOf(b) - placeOf(a));
  if (leftOut !== undefined && (lastTaken === null || placeOf(leftOut) > lastTaken.getTime())) {
    const due = leftOut.dueDate.getTime();
    const passed = Math.ceil((leftOutAt(leftOut).getTime() - due) / step);
    return new Date(due + Math.max(1, passed) * step);
  }
  return lastTaken === null ? plan.firstDueAt : new Date(lastTaken.getTime() + step);
}

/** When the next dose is due. */
export interface ChainDue {
  readonly dueDate: Date;
  /** When its plan has it, where it was moved by hand. */
  readonly planned: Date | null;
}

/** What has to happen so that a schedule has its one next dose, at its time. */
export type ChainStep<D extends ChainedDose> =
  | { readonly kind: 'none' }
  | { readonly kind: 'make'; readonly after: string | null; readonly due: ChainDue }
  | { readonly kind: 'move'; readonly dose: D; readonly due: ChainDue }
  | { readonly kind: 'remove'; readonly dose: D };

/**
 * The next step for a schedule that counts from the last dose taken. Repeating it until there is none leaves exactly one
 * next dose, which follows from the others alone: who runs it, how often and at once with whom makes no difference.
 * @param doses of the schedule, the latest due first
 * @param isOver whether a dose due at an instant would come after the schedule's last day
 */
export function chainStep<D extends ChainedDose>(
  doses: readonly D[],
  plan: ChainPlan,
  isOver: (dueDate: Date) => boolean,
): ChainStep<D> {
  const followed = new Set(doses.map(({ chain }) => chain?.after ?? null));
  const tail = doses.find(({ id, chain }) => (chain ?? null) !== null && !followed.has(id));
  const isOpen = tail?.status === 'pending';
  const previous = doses.find(({ id }) => id === tail?.chain?.after);
  // The dose before it was undone: that one is the next again.
  if (isOpen && previous?.status === 'pending' && (previous.chain ?? null) !== null)
    return { kind: 'remove', dose: tail };
  const after = (isOpen ? tail.chain?.after : (tail?.id ?? doses[0]?.id)) ?? null;
  const due = dueOf(nextDueAt(doses, plan), after, plan);
  const isStopped = plan.stopsAt ? due.dueDate >= plan.stopsAt : false;
  if (isStopped || (due.planned === null && isOver(due.dueDate)))
    return isOpen ? { kind: 'remove', dose: tail } : { kind: 'none' };
  if (!isOpen) return { kind: 'make', after, due };
  return tail.dueDate.getTime() === due.dueDate.getTime()
    ? { kind: 'none' }
    : { kind: 'move', dose: tail, due };
}

/**
 * When a dose is due: where it was moved to, else as the doses before it say; not before the schedule went on, and not in a
 * planned pause.
 */
function dueOf(ruled: Date, after: string | null, plan: ChainPlan): ChainDue {
  const { movedTo, resumedAt, pauses, timeZone } = plan;
  const notBefore = (at: Date) => afterPauses(later(at, resumedAt) ?? at, pauses, timeZone);
  const moved = movedTo?.get(after ?? 'none');
  return moved === undefined
    ? { dueDate: notBefore(ruled), planned: null }
    : { dueDate: notBefore(moved), planned: notBefore(ruled) };
}

/** A dose counts as taken on time within this part of the interval, before and after it was due. */
export const ON_TIME_PART = 4;

/** Whether a dose was taken too early or too late to count as taken on time. */
export function isOffTime(dueDate: Date, takenAt: Date, everyHours: number): boolean {
  return Math.abs(takenAt.getTime() - dueDate.getTime()) > (everyHours * HOUR_MS) / ON_TIME_PART;
}

/** So many days of taken doses make the mean that stands for doses whose time is not known yet. */
export const MEAN_DAYS = 28;
/** A schedule that has run for less than this says too little: its plan counts until then. */
export const LEAST_MEAN_DAYS = 7;
