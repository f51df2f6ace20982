import { trusted, type Connection } from 'mongoose';
import { BLEND_KEY } from '#app/domain/vials/contents.ts';
import type { DoseStatus } from '#app/domain/doses/dose.ts';
import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import { vialSchema, type VialRow } from '../vials/vial.server.ts';
import {
  AMOUNT,
  COUNTED_STATUS,
  dueOnDays,
  doseSchema,
  inOrder,
  PLANNED,
  takenUnder,
  toLoggedAmount,
  type DoseRow,
} from '../doses/dose.server.ts';
import { injectionSiteSchema, type InjectionSiteRow } from '../tracking/injection-site.server.ts';
import { measurementRowSchema, type MeasurementRow } from '../tracking/measurement.server.ts';
import { rowsOf, STREAMING } from '../store/queries.server.ts';
import { modelOf } from '../store/model-of.server.ts';
import { sideEffectRowSchema, type SideEffectRow } from '../tracking/side-effect.server.ts';

/** Instants from `from` (inclusive) to `before` (exclusive). */
interface Span {
  from: Date;
  before: Date;
}

/** The number of doses of one name with one status on one day. */
export interface DayNameCount {
  day: string;
  name: string;
  status: DoseStatus;
  count: number;
}

/** A taken dose as the level curves need it. */
export interface TakenDose {
  takenAt: Date;
  /** Decimal text in `unit`. */
  amount: string;
  unit: DoseUnit;
  route: string | null;
}

/** A blend that doses were taken of. */
export interface TakenBlend {
  name: string;
  components: string[];
}

const QUARTER_MS = 900_000;

/** The quarter-hour that an instant falls in. */
const quarterOf = (field: string) => ({
  $subtract: [`$${field}`, { $mod: [{ $subtract: [`$${field}`, new Date(0)] }, QUARTER_MS] }],
});

const UNPLANNED = { $or: [{ scheduleId: null }, { asNeeded: true }] };

/** Counts for the analytics page, always for one owner and period. The cost depends only on what is in the period. */
export function createAnalyticsRepository(connection: Connection) {
  const doses = modelOf<DoseRow>(connection, 'Dose', doseSchema);
  const effects = modelOf<SideEffectRow>(connection, 'SideEffect', sideEffectRowSchema);
  const sites = modelOf<InjectionSiteRow>(connection, 'InjectionSite', injectionSiteSchema);
  const compounds = modelOf<VialRow>(connection, 'Vial', vialSchema);
  const measurements = modelOf<MeasurementRow>(connection, 'Measurement', measurementRowSchema);
  return {
    /**
     * Counts of doses that are already due, by day, name and status. Days are in the schedule's zone.
     * @param planned true for doses from a schedule only, false for doses without a schedule only
     */
    async doseCounts(
      userId: string,
      days: { first: string; last: string },
      now: Date,
      planned: boolean,
    ): Promise<DayNameCount[]> {
      const rows = await doses.aggregate<{ _id: Omit<DayNameCount, 'count'>; count: number }>([
        { $match: { userId, ...dueOnDays(days, now), ...(planned ? PLANNED : UNPLANNED) } },
        { $group: { _id: { day: '$localDay', name: '$name', status: COUNTED_STATUS }, count: { $sum: 1 } } },
      ]);
      return rows.map(({ _id, count }) => ({ ..._id, count }));
    },

    /** The blends that doses were taken of: the name of each, and the names of its components. */
    async takenBlends(userId: string, { from, before }: Span): Promise<TakenBlend[]> {
      const found = new Map<string, TakenBlend>();
      const taken = { userId, nameKey: BLEND_KEY, status: 'taken' as const };
      const cursor = doses
        .find({ ...taken, takenAt: trusted({ $gte: from, $lt: before }) }, { name: 1, drawn: 1 })
        .lean()
        .cursor(STREAMING);
      for await (const { name, drawn } of rowsOf(cursor)) {
        const components = (drawn?.components ?? []).map((component) => component.name);
        found.set([name, ...components].join(';'), { name, components });
      }
      return [...found.values()];
    },

    /** Taken doses of one name, including its share of blends, oldest first, up to a limit. */
    async takenOf(
      userId: string,
      nameKey: string,
      { from, before }: Span,
      limit: number,
    ): Promise<TakenDose[]> {
      const found = await Promise.all(
        takenUnder(userId, nameKey).map((under) =>
          doses
            .find(
              { ...under, status: 'taken', takenAt: trusted({ $gte: from, $lt: before }) },
              { ...AMOUNT, route: 1 },
            )
            .sort({ takenAt: 1 })
            .limit(limit)
            .lean(),
        ),
      );
      return inOrder(found, 1)
        .slice(0, limit)
        .map((row) => ({ ...toLoggedAmount(row, nameKey), route: row.route }));
    },

    /** Side effects that began, by quarter-hour: in every time zone, midnight falls on one. */
    async effectCounts(
      userId: string,
      { from, before }: Span,
    ): Promise<{ at: Date; count: number; severity: number }[]> {
      const rows = await effects.aggregate<{ _id: Date; count: number; severity: number }>([
        { $match: { userId, startedAt: { $gte: from, $lt: before } } },
        { $group: { _id: quarterOf('startedAt'), count: { $sum: 1 }, severity: { $sum: '$severity' } } },
      ]);
      return rows.map(({ _id, count, severity }) => ({ at: _id, count, severity }));
    },

    /** How often each site was used, and when it was last used. */
    async siteCounts(
      userId: string,
      { from, before }: Span,
    ): Promise<{ site: string; count: number; lastAt: Date }[]> {
      const rows = await sites.aggregate<{ _id: string; count: number; lastAt: Date }>([
        { $match: { userId, takenAt: { $gte: from, $lt: before } } },
        { $group: { _id: '$site', count: { $sum: 1 }, lastAt: { $max: '$takenAt' } } },
      ]);
      return rows.map(({ _id, count, lastAt }) => ({ site: _id, count, lastAt }));
    },

    /** The cost of the vials added in the period. */
    async vialCosts(
      userId: string,
      { from, before }: Span,
      limit: number,
    ): Promise<{ addedAt: Date; name: string; cost: string; currency: string | null }[]> {
      const rows = await compounds
        .find(
          { userId, createdAt: trusted({ $gte: from, $lt: before }), cost: trusted({ $ne: null }) },
          { createdAt: 1, name: 1, cost: 1, currency: 1 },
        )
        .limit(limit)
        .lean();
      return rows.map(({ createdAt, name, cost, currency }) => ({
        addedAt: createdAt,
        name,
        cost: cost ?? '0',
        currency,
      }));
    },

    /** Sums of measurements by measure and quarter-hour, which is enough: charts show one value a day. */
    async measurementSums(
      userId: string,
      { from, before }: Span,
    ): Promise<{ metric: string; at: Date; count: number; sum: number }[]> {
      const rows = await measurements.aggregate<{
        _id: { metric: string; at: Date };
        count: number;
        sum: number;
      }>([
        { $match: { userId, measuredAt: { $gte: from, $lt: before } } },
        {
          $group: {
            _id: { metric: '$metric', at: quarterOf('measuredAt') },
            count: { $sum: 1 },
            sum: { $sum: '$value' },
          },
        },
      ]);
      return rows.map(({ _id, count, sum }) => ({ ..._id, count, sum }));
    },
  };
}
