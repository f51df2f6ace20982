import { withoutEnd } from '#app/domain/text/without-end.ts';

/** The name of the button that answers "Did you mean 250 mcg?" with yes; its value is the unit. */
export const MEANT_UNIT = 'meantUnit';

/** The name of the button that changes an unusual amount to the planned one; its value is that amount: "250 mcg". */
export const MEANT_AMOUNT = 'meantAmount';

/** An amount that is probably a slip: in figures, and what was probably meant. */
export interface Slip {
  /** "10 times your planned dose: 100 units, not 10" */
  words: string;
  /** "2,500 mcg" */
  typed: string;
  /** "250 mcg" */
  meant: string;
}

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

/** The values of an amount's controls for the amount that was meant, such as "250 mcg". */
export function valuesOfMeant(
  meant: string,
  { amount, unit }: AmountControls,
): [name: string, value: string][] {
  const typed = meant.replaceAll(',', '');
  const [number = '', typedUnit = ''] = typed.split(' ');
  if (typeof unit === 'function') return [[amount, unit(typed)]];
  return [
    [amount, number],
    [unit, typedUnit],
  ];
}

/** True when a form was sent with a button that changes its amount. */
export const meansAnother = (sent: FormData): boolean => sent.has(MEANT_UNIT) || sent.has(MEANT_AMOUNT);

/** An amount as {@link MEANT_AMOUNT} sends it. */
const AMOUNT_WORDS = /^[\d,]{1,20}(?:\.\d{1,20})? (?:mc?g|IU)$/;

/**
 * Changes the amount of a sent form, or of an address, to mcg or to the amount that was meant, if its sender pressed the button
 * for that.
 * @returns whether a button was pressed
 */
export function takeMeantUnit(sent: FormData | URLSearchParams, controls: AmountControls): boolean {
  const meant = sent.get(MEANT_AMOUNT);
  if (typeof meant === 'string' && AMOUNT_WORDS.test(meant)) {
    sent.delete(MEANT_AMOUNT);
    for (const [name, value] of valuesOfMeant(meant, controls)) sent.set(name, value);
    return true;
  }
  if (sent.get(MEANT_UNIT) !== 'mcg') return false;
  sent.delete(MEANT_UNIT);
  const typed = sent.get(controls.amount);
  for (const [name, value] of valuesInMcg(typeof typed === 'string' ? typed : '', controls))
    sent.set(name, value);
  return true;
}
