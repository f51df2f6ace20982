import { KEPT } from './calculation.model.server.ts';

/** One shelf of one user: what is kept, or what belongs to a sign-in. */
export interface Shelf {
  userId: string;
  /** null for what is kept */
  signInId: string | null;
}

/** What one calculation adds to the totals. */
export interface Share {
  nameKey: string;
  /** Day of UTC, YYYY-MM-DD. */
  day: string;
  concentrationWhole: number;
  concentrationNano: number;
}

/** The totals of a shelf. */
export interface ShelfTotals {
  total: number;
  names: number;
  concentrationWhole: number;
  concentrationNano: number;
}

/** The fields that say whose shelf and which one a document is about. */
export function shelfFilter(shelf: Shelf): { userId: string; shelf: string } {
  return { userId: shelf.userId, shelf: shelf.signInId ?? KEPT };
}

/** The shelf as part of a key. */
export function shelfKey(shelf: Shelf): string {
  return `${shelf.userId}/${shelf.signInId ?? KEPT}`;
}
