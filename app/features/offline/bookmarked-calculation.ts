import type { OwnSyringe } from '#app/domain/calculator/calculation.ts';
import { computeLive } from '#app/features/calculator/index.ts';

/** Pages whose URL can hold a calculation. */
const CALCULATOR_PATHS = ['/calculator', '/dashboard', '/dashboard/calculator'];

const NUMBERS = [
  'componentAmount',
  'components',
  'peptideAmount',
  'waterVolume',
  'desiredDose',
  'drawVolume',
  'concentration',
  'containerVolume',
];

/**
 * The calculation in a page's URL, for bookmarks that are opened offline.
 * @param from path and query of the page that could not be loaded
 * @param syringes the person's own
 * @returns null for other pages, and for a calculator without numbers
 */
export function bookmarkedCalculation(
  from: string | null,
  syringes?: readonly OwnSyringe[],
): ReturnType<typeof computeLive> | null {
  if (from === null) return null;
  const [path = '', query = ''] = from.split('#')[0]?.split('?') ?? [];
  const search = new URLSearchParams(query);
  if (!CALCULATOR_PATHS.includes(path) || !NUMBERS.some((name) => search.has(name))) return null;
  return computeLive(search, syringes);
}
