import { plainText } from '#app/domain/decimal/decimal-text.ts';
import type { SiteEntry } from '#app/domain/tracking/injection-site-schema.ts';
import { NUTRIENTS, type NutritionEntry } from '#app/domain/tracking/nutrition-schema.ts';
import type { ExportCells } from './export-columns.ts';

/** When a row was made. */
interface Made {
  createdAt: Date;
}

const shortest = (entered: string | null) => (entered === null ? null : plainText(entered));
const whole = (count: number | null) => (count === null ? null : String(count));

/** The row of a logged injection. The dose is in the unit beside it, the volume in ml. */
export function injectionSiteCells(entry: SiteEntry & Made): ExportCells {
  return [
    entry.id,
    entry.createdAt.toISOString(),
    entry.site,
    entry.takenAt.toISOString(),
    entry.name,
    entry.compoundId,
    shortest(entry.dose),
    entry.doseUnit,
    shortest(entry.volume),
    whole(entry.pain),
    entry.notes,
    entry.doseId,
  ];
}

/** A side effect as far as it is exported. */
export interface ExportedSideEffect extends Made {
  id: string;
  name: string;
  severity: number;
  startedAt: Date;
  resolvedDate: string | null;
  compoundId: string | null;
  doseId: string | null;
  notes: string | null;
  images: readonly unknown[];
}

/** The row of a side effect. Its pictures are counted; they themselves are in the full download. */
export function sideEffectCells(effect: ExportedSideEffect): ExportCells {
  return [
    effect.id,
    effect.createdAt.toISOString(),
    effect.name,
    String(effect.severity),
    effect.startedAt.toISOString(),
    effect.resolvedDate,
    effect.compoundId,
    effect.doseId,
    String(effect.images.length),
    effect.notes,
  ];
}

/** The row of a day's nutrition: kcal, g and ml. */
export function nutritionCells(entry: NutritionEntry & Made): ExportCells {
  const amounts = NUTRIENTS.map(({ key }) => shortest(entry[key]));
  return [entry.id, entry.createdAt.toISOString(), entry.date, ...amounts, entry.notes];
}
