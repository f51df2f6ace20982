import { siteName } from '#app/domain/tracking/sites.ts';
import * as z from 'zod';
import {
  logSiteSchema,
  SITE_MESSAGES,
  siteDetails,
  siteDetailsOf,
  type SiteEntry,
} from '#app/domain/tracking/injection-site-schema.ts';
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
  isIdOf,
  orNull,
  readIdentity,
  readPastInstant,
  reasonOf,
} from './record-type.ts';

const ID_PREFIX = 'site';

type Stored = SiteEntry & { createdAt: Date };

const COLUMNS = columnsWith(
  [
    fixed('id'),
    fixed('createdAt'),
    fixed('site'),
    fixed('takenAt'),
    text('name'),
    fixed('compoundId'),
    number('dose'),
    fixed('doseUnit'),
    number('volume'),
    number('pain'),
    text('notes'),
    fixed('doseId'),
  ],
  Object.keys(siteDetails).map(text),
);

/** Logged injections. The dose is in `doseUnit`, the volume in ml. */
export const INJECTION_SITES: ExportableType<Stored> = {
  idPrefix: ID_PREFIX,
  columns: COLUMNS,
  printColumns: [
    { heading: 'Date', source: 'takenAt', width: 16, align: 'left' },
    { heading: 'Site', source: 'site', width: 22, align: 'left', show: siteName },
    { heading: 'Compound', source: 'name', width: 20, align: 'left' },
    { heading: 'Dose', source: 'dose', width: 8, align: 'right' },
    { heading: 'Unit', source: 'doseUnit', width: 6, align: 'left' },
    { heading: 'Volume, ml', source: 'volume', width: 9, align: 'right' },
    { heading: 'Pain, 0–10', source: 'pain', width: 9, align: 'right' },
    { heading: 'Notes', source: 'notes', width: 25, align: 'left' },
  ],
  cells: (entry) => cellsOf(COLUMNS, { ...entry }),
  read: readInjectionSite,
};

const siteRow = z.object(logSiteSchema.shape).omit({ saveKey: true });

function readInjectionSite(cells: ImportCells, { now }: ImportSetting): ReadRow {
  const identity = readIdentity(cells, ID_PREFIX, 'an injection');
  if (typeof identity === 'string') return { reason: identity };
  const parsed = siteRow.safeParse(cells);
  if (!parsed.success) return { reason: reasonOf(parsed.error.issues) };
  const takenAt = readPastInstant(cells, 'takenAt', now, SITE_MESSAGES.future);
  if (typeof takenAt === 'string') return { reason: takenAt };
  const { doseId } = cells;
  if (doseId !== undefined && !isIdOf('dose', doseId))
    return { reason: 'doseId: This is not the id of a dose' };
  const { site, doseUnit = 'mg' } = parsed.data;
  const entry = { ...siteDetailsOf(parsed.data), site, takenAt, doseUnit, doseId: orNull(doseId) };
  return { record: { type: 'injectionSites', ...identity, entry } };
}
