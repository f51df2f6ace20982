import { byMonth, monthCounter } from '#app/domain/reports/report-months.ts';
import { cappedNote } from '#app/domain/reports/listed-rows.ts';
import { effectCells, effectColumns } from '#app/domain/reports/report-row-groups.ts';
import { effectKinds, KIND_COLUMNS } from '#app/domain/reports/effect-kinds.ts';
import type { ReportSection } from '#app/domain/reports/report-types.ts';
import { calendarDay, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import type { ReportedEffect } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { listedRows, type ReportOwner, type ReportScope } from './report-rows.server.ts';

/** By what a side effect finds its compound. */
export interface EffectLinks {
  /** By the vial's id. */
  vialNames: ReadonlyMap<string, string>;
  isMeant(name: string | null): boolean;
}

/** What a report says about side effects. */
export interface EffectPart {
  section: ReportSection;
  /** A line for each kind; empty when every kind was there once. */
  byKind: ReportSection[];
}

function kindSection(rows: string[][]): ReportSection[] {
  if (rows.length === 0) return [];
  return [
    { title: 'Side effects by kind', note: null, columns: KIND_COLUMNS, months: [], rows, nothing: '' },
  ];
}

/** Side effects whose doses are asked for at once. */
const BATCH = 200;

type Named = ReportedEffect & { compound: string | null };

/** The side effects with the compound of their vial, else of their dose; null where there is none (any more). */
async function* withCompounds(
  ctx: Ctx,
  ownerId: string,
  effects: AsyncIterable<ReportedEffect>,
  vialNames: ReadonlyMap<string, string>,
): AsyncGenerator<Named> {
  async function named(batch: readonly ReportedEffect[]): Promise<Named[]> {
    const ids = batch.flatMap(({ compoundId, doseId }) => (compoundId === null && doseId ? [doseId] : []));
    const doseNames = await ctx.repos.reports.doseNames(ownerId, [...new Set(ids)]);
    return batch.map((effect) => {
      const { compoundId, doseId } = effect;
      const compound = compoundId === null ? doseNames.get(doseId ?? '') : vialNames.get(compoundId);
      return { ...effect, compound: compound ?? null };
    });
  }
  let batch: ReportedEffect[] = [];
  for await (const effect of effects) {
    batch.push(effect);
    if (batch.length < BATCH) continue;
    yield* await named(batch);
    batch = [];
  }
  yield* await named(batch);
}

/**
 * The side effects that began on the days of a period. With a compound chosen, those that are linked to nothing are
 * listed, too: leaving them out would hide them from every report of one compound.
 */
export async function readReportEffects(
  ctx: Ctx,
  { id, timeZone }: ReportOwner,
  { start, end, compound, notes }: ReportScope,
  { vialNames, isMeant }: EffectLinks,
): Promise<EffectPart> {
  const effects = ctx.repos.reports.effects(id, instantsOfDays(start, end, timeZone));
  const named = withCompounds(ctx, id, effects, vialNames);
  const kinds = effectKinds();
  const months = monthCounter('side effect');
  const monthOf = ({ startedAt }: Named) => calendarDay(startedAt, timeZone).slice(0, 7);
  const { rows, total } = await listedRows(named, (effect) => {
    if (effect.compound !== null && !isMeant(effect.compound)) return false;
    kinds.add(effect);
    months.add(monthOf(effect));
    return true;
  });
  const unlinked = compound ? 'Side effects not linked to a compound are listed too.' : null;
  const parted = byMonth(rows, monthOf, months.summaries());
  return {
    byKind: kindSection(kinds.rows()),
    section: {
      title: 'Side effects',
      note:
        [cappedNote(rows.length, total), rows.length > 0 ? unlinked : null].filter(Boolean).join(' ') || null,
      columns: effectColumns(Boolean(notes)),
      months: parted.months,
      rows: parted.rows.map((effect) => effectCells(effect, effect.compound, timeZone, Boolean(notes))),
      nothing: 'No side effects began in this period.',
    },
  };
}
