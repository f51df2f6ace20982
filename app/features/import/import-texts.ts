import type { ImportType } from '#app/domain/import/import-types.ts';

const WORDS: Readonly<Record<ImportType, readonly [one: string, many: string]>> = {
  calculations: ['calculation', 'calculations'],
  compounds: ['vial', 'vials'],
  schedules: ['schedule', 'schedules'],
  doses: ['dose', 'doses'],
  nutrition: ['day of nutrition', 'days of nutrition'],
  sideEffects: ['side effect', 'side effects'],
  injectionSites: ['injection', 'injections'],
};

/** How many of each type. */
export type Counts = Readonly<Partial<Record<ImportType, number>>>;

const isType = (name: string): name is ImportType => Object.hasOwn(WORDS, name);

const numberText = (count: number): string => count.toLocaleString('en');

/** "1,200 calculations" */
export function countText(type: ImportType, count: number): string {
  const [one, many] = WORDS[type];
  return `${numberText(count)} ${count === 1 ? one : many}`;
}

/** "2 vials, 1 schedule", or null when there is nothing. */
export function countsText(counts: Counts): string | null {
  const parts = Object.entries(counts).flatMap(([type, count]) =>
    isType(type) && count > 0 ? [countText(type, count)] : [],
  );
  return parts.length === 0 ? null : parts.join(', ');
}

/** The type of a row as a file names it, in words; what is none stays as it is. */
export const typeText = (name: string): string => (isType(name) ? WORDS[name][0] : name);

/** The heading of a type: "Side effects". */
export function typeTitle(type: ImportType): string {
  const [, many] = WORDS[type];
  return many.charAt(0).toUpperCase() + many.slice(1);
}
