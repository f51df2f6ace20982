import { MINUTE_MS } from '#app/domain/time/calendar.ts';

/** The length of a time slot. Every time zone of today is a whole number of them from UTC. */
const SLOT_MINUTES = 15;

/** The start of the time slot of a due time: its quarter of an hour. Doses of one slot are taken and announced together. */
export function slotStart(dueDate: Date): Date {
  const length = SLOT_MINUTES * MINUTE_MS;
  return new Date(Math.floor(dueDate.getTime() / length) * length);
}

/** The first instant after a time slot. */
export const slotEnd = (start: Date): Date => new Date(start.getTime() + SLOT_MINUTES * MINUTE_MS);

/** Doses by their slots, in the order of the first dose of each. @param dueDateOf the due time of one */
export function bySlot<T>(doses: readonly T[], dueDateOf: (dose: T) => Date): { start: Date; doses: T[] }[] {
  const slots = new Map<number, T[]>();
  for (const dose of doses) {
    const start = slotStart(dueDateOf(dose)).getTime();
    slots.set(start, [...(slots.get(start) ?? []), dose]);
  }
  return [...slots].map(([start, together]) => ({ start: new Date(start), doses: together }));
}
