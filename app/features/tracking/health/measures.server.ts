import { createHash } from 'node:crypto';
import { AppError, conflict } from '#app/domain/errors.ts';
import {
  MAX_OWN_METRICS,
  METRICS,
  measuresFrom,
  ownMetric,
  type Measures,
  type Metric,
} from '#app/domain/tracking/health-metrics.ts';
import {
  HEALTH_MESSAGES,
  ownMetricSchema,
  type OwnMetricInput,
} from '#app/domain/tracking/measurement-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** The signed-in user's measures and units. @throws AppError PREMIUM_REQUIRED */
export async function readMeasures(ctx: Ctx): Promise<Measures> {
  const { id } = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const [user, choices] = await Promise.all([ctx.repos.users.find(id), ctx.repos.trackingChoices.find(id)]);
  return measuresFrom(choices.metrics, user?.units);
}

/** Names that differ only in case are one measure. */
const keyOf = (name: string) =>
  `own-${createHash('sha256').update(name.toLowerCase()).digest('hex').slice(0, 16)}`;

/** @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, CONFLICT when it exists, or there are too many */
export async function addMeasure(ctx: Ctx, input: OwnMetricInput): Promise<Metric> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { name, unit } = parseInput(ownMetricSchema, input);
  const row = { key: keyOf(name), name, unit: unit ?? '' };
  const isBuiltIn = METRICS.some((metric) => metric.name.toLowerCase() === name.toLowerCase());
  if (isBuiltIn || !(await ctx.repos.trackingChoices.addMetric(user.id, row, MAX_OWN_METRICS)))
    throw conflict('ALREADY_EXISTS', HEALTH_MESSAGES.metricThere);
  return ownMetric(row);
}

/** Removes one of the user's own measures from the form; its measurements stay. @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function removeMeasure(ctx: Ctx, key: string): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  if (!(await ctx.repos.trackingChoices.deleteMetric(user.id, key)))
    throw new AppError('NOT_FOUND', HEALTH_MESSAGES.noMetric);
}
