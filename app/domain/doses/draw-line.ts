import { substanceUnitOf, type SyringeChoice } from '#app/domain/calculator/calculation.ts';
import type { Blend } from '#app/domain/vials/contents.ts';
import { planDraws, type DrawPlan, type DrawRequest } from '#app/domain/vials/stock.ts';
import type { Vial } from '#app/domain/vials/vial.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { drawToText, markErrorText } from '#app/domain/calculator/draw-words.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';
import { baseUnitText, scaleWords } from '#app/domain/units/quantity.ts';
import { doseLine, type DoseLine, type LineDose } from './dose-line.ts';

/** A dose in a list with what to draw for it. */
export interface DrawLine extends DoseLine {
  /** "10 units (0.1 ml)", on a mark of the syringe; null when no vial has a known concentration. */
  drawText: string | null;
  /** The same without the volume, "10 units", for a list of several draws. */
  drawUnits: string | null;
  /** What `drawText` adds to it: "0.1 ml", "exact 1.37, 0.014 ml, 27.01% less". */
  drawDetail: string | null;
  /** A note about the vial, such as that it is past its date; null if there is none. */
  vialNote: string | null;
  /** What changed since the last dose of the compound; null when nothing did. */
  readBack: string | null;
}

/** `NO_OPEN_VIAL` is left out: someone who doesn't track vials needs no note about it. */
function noteOf(plan: DrawPlan): string | null {
  return plan.warnings.find(({ code }) => code !== 'NO_OPEN_VIAL')?.message ?? null;
}

/** A draw to the nearest mark, "10 units", and its detail: "0.1 ml", or "exact 1.37, 0.014 ml, 27.01% less" beside a mark. */
function partOf({ ml, units, mark }: DrawPlan['draws'][number], syringe: SyringeChoice) {
  if (units === null || mark === null) return null;
  const error = mark.exceedsFivePercent ? markErrorText(mark) : null;
  const volume = ml === null ? [] : [`${figureText(ml)} ml`];
  const exact = [`exact ${figureText(units)}`, ...volume, ...(error === null ? [] : [error])];
  return {
    units: drawToText(mark, mark.noun === 'unit' ? scaleWords(syringe) : ''),
    detail: mark.isExact ? volume.join('') : exact.join(', '),
  };
}

const NO_DRAW = { drawText: null, drawUnits: null, drawDetail: null };

/** What to draw from each vial; all null if there is no vial, or one has an unknown concentration. */
export function drawTexts(
  { draws }: DrawPlan,
  syringe: SyringeChoice,
): Pick<DrawLine, 'drawText' | 'drawUnits' | 'drawDetail'> {
  const parts = draws.map((draw) => partOf(draw, syringe)).filter((part) => part !== null);
  if (parts.length === 0 || parts.length < draws.length) return NO_DRAW;
  return {
    drawText: parts.map(({ units, detail }) => (detail === '' ? units : `${units} (${detail})`)).join(' + '),
    drawUnits: parts.map(({ units }) => units).join(' + '),
    drawDetail: parts
      .map(({ detail }) => detail)
      .filter((detail) => detail !== '')
      .join(' + '),
  };
}

interface DrawLineSetting {
  timeZone: string;
  now: Date;
  /** What the owner draws with. */
  syringe: SyringeChoice;
  /** What changed since the last dose, by dose id; see `readBack`. */
  readBacks?: ReadonlyMap<string, string>;
}

/** The fields of a dose that decide which vial it is drawn from. */
type DrawnDose = Pick<LineDose, 'name' | 'doseAmount' | 'doseUnit'> & {
  compoundId: string | null;
  blend?: Blend | null | undefined;
};

export function plannedDraw({
  name,
  doseAmount,
  doseUnit,
  compoundId,
  blend,
}: DrawnDose): Pick<
  DrawRequest,
  'name' | 'doseMg' | 'measure' | 'doseOf' | 'components' | 'preferredCompoundId'
> {
  return {
    name,
    doseMg: baseUnitText(doseAmount, doseUnit),
    measure: substanceUnitOf(doseUnit),
    doseOf: blend?.doseOf,
    components: blend?.components,
    preferredCompoundId: compoundId,
  };
}

/** Doses as lines, each with what to draw for it from the vials as they are now. */
export function drawLines(
  doses: readonly (LineDose & DrawnDose)[],
  vials: readonly Vial[],
  { timeZone, now, syringe, readBacks }: DrawLineSetting,
): DrawLine[] {
  const day = calendarDay(now, timeZone);
  return doses.map((dose) => {
    const plan = planDraws(vials, { ...plannedDraw(dose), day, syringe });
    return {
      // What the vial holds now is more accurate than what it held when the dose was planned.
      ...doseLine({ ...dose, blend: plan.blend ?? dose.blend }, timeZone, now),
      ...drawTexts(plan, syringe),
      vialNote: noteOf(plan),
      readBack: readBacks?.get(dose.id) ?? null,
    };
  });
}

/** Part of a longer list. */
export interface Listed<T> {
  rows: T[];
  /** Whether there is more than is listed. */
  more: boolean;
}

/** An as-needed schedule with what to draw for its next dose. Its id is that of the schedule. */
export interface AsNeededLine extends DrawLine {
  /** "Last taken 5 h ago, next from 13:20" */
  paceText: string;
  /** Taking one now has to be confirmed. */
  isEarly: boolean;
}

/** A schedule in a planned pause. Days are YYYY-MM-DD in its own zone. */
export interface PausedLine {
  scheduleId: string;
  name: string;
  firstDay: string;
  lastDay: string;
}

/** Doses that were logged in one act. */
export interface TogetherLine {
  ids: string[];
  /** Their names: "BPC-157, TB-500". */
  names: string;
}

/** What the Today page shows. */
export interface Today {
  /** YYYY-MM-DD in the owner's zone. */
  day: string;
  /** Pending doses: overdue first, then the rest of the day. */
  open: Listed<DrawLine>;
  /** Doses logged today, latest first. */
  done: Listed<DoseLine>;
  /** Those of them that were taken together and can be undone together. */
  together: TogetherLine[];
  /** The next 7 days after today. */
  upcoming: Listed<DoseLine>;
  /** Doses of the last 7 days that were not logged. */
  missed: Listed<DoseLine>;
  /** Schedules whose doses are taken as needed. */
  asNeeded: AsNeededLine[];
  /** Schedules in a planned pause today. */
  paused: PausedLine[];
  hasSchedules: boolean;
}
