import { withoutEnd } from '#app/domain/text/without-end.ts';

/** The name of the button that answers "Did you mean 250 mcg?" with yes; its value is the unit. */
export const MEANT_UNIT = 'meantUnit';

/** The question among the messages of an amount; see `mcgQuestion`. */
export function questionIn(messages: readonly string[] | null | undefined): string | undefined {
  return messages?.find((message) => message.startsWith('Did you mean '));
}

/** The controls of a form that hold an amount. */
export interface AmountControls {
  /** Name of the amount's control. */
  amount: string;
  /** Name of its unit's control, or, where the form has a fixed unit, what converts "250 mcg" to it. */
  unit: string | ((typed: string) => string);
}

/**
 * The values of an amount's controls after the question was answered with yes.
 * @param typed "250" or "250 mg"; may be empty, if the question was about another amount with the same unit
 */
export function valuesInMcg(
  typed: string,
  { amount, unit }: AmountControls,
): [name: string, value: string][] {
  const number = withoutEnd(typed, /[a-z\s]/i);
  if (typeof unit === 'function') return [[amount, number && unit(`${number} mcg`)]];
  return [
    [amount, number],
    [unit, 'mcg'],
  ];
}

/**
 * Changes the amount of a sent form, or of an address, to mcg if its sender answered the question with yes.
 * @returns whether that was answered
 */
export function takeMeantUnit(sent: FormData | URLSearchParams, controls: AmountControls): boolean {
  if (sent.get(MEANT_UNIT) !== 'mcg') return false;
  sent.delete(MEANT_UNIT);
  const typed = sent.get(controls.amount);
  for (const [name, value] of valuesInMcg(typeof typed === 'string' ? typed : '', controls))
    sent.set(name, value);
  return true;
}
