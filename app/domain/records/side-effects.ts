import * as z from 'zod';
import {
  SIDE_EFFECT_MESSAGES,
  sideEffectSchema,
  effectEnd,
  NO_END,
  effectDetails,
  effectDetailsOf,
  type EffectEnd,
  type SideEffect,
} from '#app/domain/tracking/side-effect-schema.ts';
import { isCalendarDay } from '#app/domain/time/calendar.ts';
import {
  cellsOf,
  columnsWith,
  fixed,
  number,
  text,
  type ExportableType,
  type ImportCells,
  type ImportSetting,
  type ReadRow,
  readIdentity,
  readPastInstant,
  reasonOf,
  ZONES_APART_MS,
} from './record-type.ts';

const ID_PREFIX = 'fx';

const COLUMNS = columnsWith(
  [
    fixed('id'),
    fixed('createdAt'),
    text('name'),
    number('severity'),
    fixed('startedAt'),
    fixed('resolvedDate'),
    fixed('compoundId'),
    fixed('doseId'),
    number('imageCount'),
    text('notes'),
  ],
  Object.keys(effectDetails).map(text),
);

/** Side effects. An export has the number of their pictures; the files themselves are in the full download of the data. */
export const SIDE_EFFECTS: ExportableType<ExportedSideEffect> = {
  idPrefix: ID_PREFIX,
  columns: COLUMNS,
  printColumns: [
    { heading: 'Started', source: 'startedAt', width: 16, align: 'left' },
    { heading: 'Ended', source: 'resolvedDate', width: 16, align: 'left' },
    { heading: 'Side effect', source: 'name', width: 24, align: 'left' },
    { heading: 'Severity, 1–5', source: 'severity', width: 12, align: 'right' },
    { heading: 'Notes', source: 'notes', width: 47, align: 'left' },
  ],
  cells: ({ images, ...effect }) => cellsOf(COLUMNS, { ...effect, imageCount: images.length }),
  read: readSideEffect,
};

/** The exported part of a side effect. */
export interface ExportedSideEffect extends Omit<SideEffect, 'resolvedAt'> {
  id: string;
  createdAt: Date;
  images: readonly unknown[];
}

/** An end on the day of the start never comes before it, whatever time zone that day is in. */
function endOf(text: string, startedAt: Date, { now, timeZone }: ImportSetting): EffectEnd | string {
  const end = effectEnd(text, startedAt, { now, timeZone, aheadMs: ZONES_APART_MS });
  if (!('problem' in end)) return end;
  const isNear =
    isCalendarDay(text) && Date.parse(`${text}T12:00:00Z`) > startedAt.getTime() - ZONES_APART_MS;
  if (end.problem === 'order' && isNear) return { resolvedDate: text, resolvedAt: startedAt };
  return `resolvedDate: ${SIDE_EFFECT_MESSAGES[end.problem]}`;
}

const effectRow = z.object(sideEffectSchema.shape).omit({ saveKey: true });

function readSideEffect(cells: ImportCells, setting: ImportSetting): ReadRow {
  const identity = readIdentity(cells, ID_PREFIX, 'a side effect');
  if (typeof identity === 'string') return { reason: identity };
  const parsed = effectRow.safeParse(cells);
  if (!parsed.success) return { reason: reasonOf(parsed.error.issues) };
  const { name, severity, resolvedDate } = parsed.data;
  const startedAt = readPastInstant(cells, 'startedAt', setting.now, SIDE_EFFECT_MESSAGES.future);
  if (typeof startedAt === 'string') return { reason: startedAt };
  const end = resolvedDate ? endOf(resolvedDate, startedAt, setting) : NO_END;
  if (typeof end === 'string') return { reason: end };
  const effect = { ...effectDetailsOf(parsed.data), name, severity, startedAt, ...end };
  return { record: { type: 'sideEffects', ...identity, effect } };
}
