import { trusted, type Connection, type Model } from 'mongoose';
import type { ReportDose, ReportEffect, ReportSite } from '#app/domain/reports/report-row-groups.ts';
import type { ReportMeasurement } from '#app/domain/reports/report-measurements.ts';
import type { InstantRange } from '#app/domain/time/zoned-time.ts';
import { doseSchema, type DoseRow } from '../doses/dose.server.ts';
import { injectionSiteSchema, type InjectionSiteRow } from '../tracking/injection-site.server.ts';
import { during, inBatches, STREAMING } from '../store/queries.server.ts';
import { measurementRowSchema, type MeasurementRow } from '../tracking/measurement.server.ts';
import { modelOf } from '../store/model-of.server.ts';
import { sideEffectRowSchema, type SideEffectRow } from '../tracking/side-effect.server.ts';

/** A dose as a report reads it. */
export interface ReportedDose extends ReportDose {
  _id: string;
  /** The day it counts towards, YYYY-MM-DD. */
  localDay: string;
}

/** A side effect as a report reads it, with its linked records. */
export interface ReportedEffect extends ReportEffect {
  compoundId: string | null;
  doseId: string | null;
}

/** An injection as a report reads it, with its dose. */
export interface ReportedSite extends ReportSite {
  doseId: string | null;
}

const DOSE_FIELDS = {
  scheduleId: 1,
  name: 1,
  dueDate: 1,
  localDay: 1,
  doseAmount: 1,
  doseUnit: 1,
  status: 1,
  takenAt: 1,
  offTime: 1,
  asNeeded: 1,
  actualDose: 1,
  blend: 1,
  drawn: 1,
  site: 1,
  notes: 1,
} as const;

const EFFECT_FIELDS = {
  _id: 0,
  name: 1,
  severity: 1,
  startedAt: 1,
  resolvedDate: 1,
  resolvedAt: 1,
  compoundId: 1,
  doseId: 1,
  notes: 1,
} as const;

const SITE_FIELDS = {
  _id: 0,
  site: 1,
  takenAt: 1,
  name: 1,
  dose: 1,
  doseUnit: 1,
  doseId: 1,
  pain: 1,
  notes: 1,
} as const;

const MEASUREMENT_FIELDS = {
  _id: 0,
  metric: 1,
  measuredAt: 1,
  value: 1,
  text: 1,
  unit: 1,
  notes: 1,
} as const;

interface Reading {
  filter: object;
  fields: object;
  sort: Record<string, -1>;
}

/** Rows in batches, so that a long period needs no more memory than a short one. No batch is empty. */
function each<Row, Read>(model: Model<Row>, { filter, fields, sort }: Reading): AsyncGenerator<Read[]> {
  const cursor = model.find(filter, fields).sort(sort).lean().cursor(STREAMING);
  return inBatches<unknown, Read>(cursor, (row) => row as Read);
}

/** What reports read, each by owner and period, latest first. */
export function createReportRepository(connection: Connection) {
  const doses = modelOf<DoseRow>(connection, 'Dose', doseSchema);
  const effects = modelOf<SideEffectRow>(connection, 'SideEffect', sideEffectRowSchema);
  const measurements = modelOf<MeasurementRow>(connection, 'Measurement', measurementRowSchema);
  const sites = modelOf<InjectionSiteRow>(connection, 'InjectionSite', injectionSiteSchema);
  return {
    /** Doses that are due in a range. */
    doses: (userId: string, range: InstantRange) =>
      each<DoseRow, ReportedDose>(doses, {
        filter: { userId, ...during('dueDate', range) },
        fields: DOSE_FIELDS,
        sort: { dueDate: -1, _id: -1 },
      }),

    /** Side effects that began in a range. */
    effects: (userId: string, range: InstantRange) =>
      each<SideEffectRow, ReportedEffect>(effects, {
        filter: { userId, ...during('startedAt', range) },
        fields: EFFECT_FIELDS,
        sort: { startedAt: -1, _id: -1 },
      }),

    /** Injections of a range. */
    sites: (userId: string, range: InstantRange) =>
      each<InjectionSiteRow, ReportedSite>(sites, {
        filter: { userId, ...during('takenAt', range) },
        fields: SITE_FIELDS,
        sort: { takenAt: -1, _id: -1 },
      }),

    /** Measurements of a range. */
    measurements: (userId: string, range: InstantRange) =>
      each<MeasurementRow, ReportMeasurement>(measurements, {
        filter: { userId, ...during('measuredAt', range) },
        fields: MEASUREMENT_FIELDS,
        sort: { measuredAt: -1, _id: -1 },
      }),

    /** The names of some doses, by id. */
    async doseNames(userId: string, ids: readonly string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map();
      const rows = await doses.find({ userId, _id: trusted({ $in: [...ids] }) }, { name: 1 }).lean();
      return new Map(rows.map(({ _id, name }) => [_id, name]));
    },
  };
}
