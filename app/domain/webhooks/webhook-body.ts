import { blendOfDose, partAmount, partsOfDose, type BlendedDose } from '#app/domain/doses/component-doses.ts';
import type { WebhookEvent, WebhookType } from './webhook.ts';

/** What a dose says about itself in an event. */
interface ToldDose extends BlendedDose {
  id: string;
  scheduleId: string | null;
  dueDate: Date;
}

/** A dose as events about it describe it; amounts as the API gives them, in `doseUnit`. Of a blend with each component. */
export function doseData(dose: ToldDose) {
  const { id, scheduleId, name, doseAmount, doseUnit, dueDate } = dose;
  return {
    doseId: id,
    scheduleId,
    dueDate: dueDate.toISOString(),
    name,
    doseAmount: Number(doseAmount),
    doseUnit,
    ...(blendOfDose(dose) !== null && {
      components: partsOfDose(dose).map((part) => ({ name: part.name, dose: partAmount(part, doseUnit) })),
    }),
  };
}

/** The same of a dose that was taken. @param actualDose decimal text in `doseUnit` */
export function takenDoseData(dose: ToldDose & { takenAt: Date; actualDose: string | null }) {
  const { takenAt, actualDose, doseAmount } = dose;
  return {
    ...doseData(dose),
    takenAt: takenAt.toISOString(),
    actualDose: Number(actualDose ?? doseAmount),
  };
}

/** A value of an event's data. */
export type WebhookData = Readonly<
  Record<string, string | number | null | readonly { name: string; dose: number }[]>
>;

/** What names a compound or an amount; null in the events of those who chose discreet mode. */
const REVEALING = new Set(['name', 'doseAmount', 'actualDose', 'doseUnit', 'components']);

/** An event of an account, before it is on its way to anybody. */
export interface ToldEvent {
  type: WebhookEvent;
  /** The same whoever notices the event: it is recorded once. */
  key: string;
  /** When it happened. */
  at: Date;
  /** The dose it is about, or null. */
  doseId: string | null;
  data: WebhookData;
}

/**
 * The body of a message, which is what its signature is about.
 * @param event with the id that is the same on every try
 * @param isDiscreet leaves names and amounts out
 */
export function webhookBody(
  { id, type, at, data }: { id: string; type: WebhookType; at: Date; data: WebhookData },
  isDiscreet: boolean,
): string {
  const shown = Object.entries(data).map(([name, value]) => [
    name,
    isDiscreet && REVEALING.has(name) ? null : value,
  ]);
  return JSON.stringify({ id, type, createdAt: at.toISOString(), data: Object.fromEntries(shown) });
}
