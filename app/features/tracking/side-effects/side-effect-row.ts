/** A side effect as texts. */
export interface EffectRow {
  id: string;
  name: string;
  severity: number;
  severityText: string;
  /** ISO */
  startedAt: string;
  when: string;
  /** "lasted 6.5 h", or null while ongoing. */
  lasted: string | null;
  notes: string | null;
  pictures: number;
}

/** The page of a side effect. */
export const effectHref = (id: string, step = '') =>
  `/dashboard/tracking/side-effects/${id}${step && `/${step}`}`;
