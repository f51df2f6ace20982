import { computeLive } from '#app/features/calculator/index.ts';

/** Where a calculation is an address. */
const CALCULATOR_PATHS = ['/calculator', '/dashboard', '/dashboard/calculator'];

const NUMBERS = [
  'componentAmount',
  'components',
  'peptideAmount',
  'waterVolume',
  'desiredDose',
  'drawVolume',
];

/**
 * The calculation that a page holds in its address, for a bookmark that is opened without a connection.
 * @param from path and query of the page that could not be had
 * @returns null for another page, and for a calculator without numbers
 */
export function bookmarkedCalculation(from: string | null): ReturnType<typeof computeLive> | null {
  if (from === null) return null;
  const [path = '', query = ''] = from.split('#')[0]?.split('?') ?? [];
  const search = new URLSearchParams(query);
  if (!CALCULATOR_PATHS.includes(path) || !NUMBERS.some((name) => search.has(name))) return null;
  return computeLive(search);
}
