import { siteName } from '#app/domain/tracking/sites.ts';
import * as z from 'zod';
import { logSiteSchema, SITE_MESSAGES, type SiteEntry } from '#app/domain/tracking/injection-site-schema.ts';
import {
  fixed,
  number,
  text,
  type ExportableType,
  type ExportCells,
  type ImportCells,
  type ImportSetting,
  type ReadRow,
  amountCell,
  isIdOf,
  orNull,
  readIdentity,
  readPastInstant,
  reasonOf,
} from './record-type.ts';

const ID_PREFIX = 'site';

type Stored = SiteEntry & { createdAt: Date };

export const INJECTION_SITES: ExportableType<Stored> = {
  idPrefix: ID_PREFIX,
  columns: [
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
  cells: injectionSiteCells,
  read: readInjectionSite,
};

const whole = (count: number | null) => (count === null ? null : String(count));

/** The row of a logged injection. The dose is in `doseUnit`, the volume in ml. */
function injectionSiteCells(entry: Stored): ExportCells {
  return [
    entry.id,
    entry.createdAt.toISOString(),
    entry.site,
    entry.takenAt.toISOString(),
    entry.name,
    entry.compoundId,
    amountCell(entry.dose),
    entry.doseUnit,
    amountCell(entry.volume),
    whole(entry.pain),
    entry.notes,
    entry.doseId,
  ];
}

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
  const { site, name, compoundId, dose, doseUnit = 'mg', volume, pain, notes } = parsed.data;
  const amounts = { dose: orNull(dose), doseUnit, volume: orNull(volume), pain: orNull(pain) };
  const about = { name: orNull(name), compoundId: orNull(compoundId), notes: orNull(notes) };
  const entry = { site, takenAt, ...about, ...amounts, doseId: orNull(doseId) };
  return { record: { type: 'injectionSites', ...identity, entry } };
}
