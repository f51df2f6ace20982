import { recompute } from './saved-calculation.ts';
import type { HistoryEntry } from './history.ts';

/** A saved calculation as texts to show; made where the decimals are at hand, so that the page needs none. */
export interface HistoryRow {
  id: string;
  /** Null when it was saved without one. */
  peptideName: string | null;
  /** ISO 8601. */
  createdAt: string;
  /** The day and the time in the reader's zone, for the margin. */
  day: string;
  time: string;
  /** mg, ml, mg/ml, mg, ml. */
  peptideAmountText: string;
  waterVolumeText: string;
  concentrationText: string;
  desiredDoseText: string;
  injectionVolumeText: string;
  notes: string | null;
  summary: string;
  isSessionOnly: boolean;
}

/** A row for the page, with its day and time in the reader's zone. */
export function historyRow(entry: HistoryEntry, timeZone: string): HistoryRow {
  const result = recompute(entry);
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone });
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone });
  return {
    id: entry.id,
    peptideName: entry.peptideName ?? null,
    createdAt: entry.createdAt.toISOString(),
    day: day.format(entry.createdAt),
    time: time.format(entry.createdAt),
    peptideAmountText: result.peptideAmountText,
    waterVolumeText: result.waterVolumeText,
    concentrationText: result.concentrationText,
    desiredDoseText: result.desiredDoseText,
    injectionVolumeText: result.injectionVolumeText,
    notes: entry.notes ?? null,
    summary: result.summary,
    isSessionOnly: entry.isSessionOnly,
  };
}
