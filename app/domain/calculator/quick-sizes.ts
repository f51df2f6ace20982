import { valuesOfMeant } from '#app/domain/units/meant-mcg.ts';

/** The name of the buttons that fill in a common size; the value is the amount with its unit. */
export const SIZE_BUTTON = 'size';

/** What most vials are sold with: peptides in mg, gonadotropins in IU. */
export const QUICK_SIZES = ['2 mg', '5 mg', '10 mg', '5,000 IU'] as const;

/** The calculator's fields after a size was chosen; null when no such button was pressed. */
export function withSize(sent: URLSearchParams): URLSearchParams | null {
  const size = sent.get(SIZE_BUTTON);
  if (size === null) return null;
  const search = new URLSearchParams(sent);
  search.delete(SIZE_BUTTON);
  if (QUICK_SIZES.some((known) => known === size))
    for (const [name, value] of valuesOfMeant(size, { amount: 'peptideAmount', unit: 'amountUnit' }))
      search.set(name, value);
  // A dose from a vial in IU is in IU.
  if (size.endsWith('IU')) search.set('desiredDoseUnit', 'IU');
  else if (search.get('desiredDoseUnit') === 'IU') search.set('desiredDoseUnit', 'mg');
  return search;
}
