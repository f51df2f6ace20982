import {
  DOSE_MESSAGES,
  MAX_TOGETHER,
  takeDosesSchema,
  undoDosesSchema,
  type TakeDosesInput,
  type UndoDosesInput,
} from '#app/domain/doses/dose-schema.ts';
import { amountKey, DOSE_WARNINGS, unconfirmed, type DoseWarning } from '#app/domain/doses/dose-warnings.ts';
import { questionKey, type DoseQuestion } from '#app/domain/doses/dose-question.ts';
import { drawLines, type DrawLine } from '#app/domain/doses/draw-line.ts';
import { slotEnd, slotStart } from '#app/domain/doses/time-slot.ts';
import { AppError, conflict } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import type { DoseRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { premiumOwner } from '#app/platform/access/owner.server.ts';
import { takeDose, undoDose } from './doses.server.ts';
import { repos } from './repositories.server.ts';

/** A logged dose with its warnings. */
interface TakenDose {
  dose: DoseRecord;
  warnings: DoseWarning[];
}

/** The logged doses in the order they were due, or the questions to answer first, in which case nothing was saved. */
type TogetherOutcome = { done: true; taken: TakenDose[] } | { done: false; questions: DoseQuestion[] };

/** Ends an act that has found questions, so that nothing of it is saved. */
class OpenQuestions extends Error {
  readonly questions: DoseQuestion[];

  constructor(questions: DoseQuestion[]) {
    super('open questions');
    this.questions = questions;
  }
}

/** What must be confirmed about a dose that has just been taken; null for nothing. */
function questionOf({ dose, warnings }: TakenDose, confirmed: Parameters<typeof unconfirmed>[1]) {
  const open = unconfirmed(warnings, confirmed);
  if (open.length === 0) return null;
  const { id, name, doseAmount, doseUnit } = dose;
  const key = questionKey(id, open, amountKey(name, { text: doseAmount, unit: doseUnit }));
  return { id, name, warnings: open, key };
}

/** These doses in the order they are due. @throws AppError NOT_FOUND when one is missing or someone else's */
async function ownedDoses(ctx: Ctx, ownerId: string, ids: readonly string[]): Promise<DoseRecord[]> {
  const doses: DoseRecord[] = [];
  for (const id of new Set(ids)) {
    const dose = await repos(ctx).doses.find(ownerId, id);
    if (dose === null) throw new AppError('NOT_FOUND', DOSE_MESSAGES.notFound);
    doses.push(dose);
  }
  return doses.sort((a, b) => a.dueDate.getTime() - b.dueDate.getTime());
}

/**
 * Logs several doses as taken, each as planned and all at the same time, in one act: all of them or none. Each is checked as if
 * those due before it were already taken, so that two doses from the last of a vial are noticed.
 * @param email the owner, when called from the terminal
 * @throws AppError NOT_FOUND, DOSE_ALREADY_LOGGED when one of them is taken, INVALID_INPUT, PREMIUM_REQUIRED
 */
export async function takeDoses(ctx: Ctx, input: TakeDosesInput, email?: string): Promise<TogetherOutcome> {
  const owner = await premiumOwner(ctx, 'dose.change', email);
  const { ids, takenAt, confirmed, answers } = parseInput(takeDosesSchema, input);
  const now = ctx.now();
  const act = { ...ctx, now: () => now };
  const details = { confirmed: [...DOSE_WARNINGS], ...(takenAt !== undefined && { takenAt }) };
  try {
    return await act.transaction(async () => {
      const taken: TakenDose[] = [];
      const questions: DoseQuestion[] = [];
      for (const { id, name, status } of await ownedDoses(act, owner.id, ids)) {
        if (status === 'taken')
          throw new AppError(
            'DOSE_ALREADY_LOGGED',
            `${name} is already logged as taken. Nothing was logged.`,
          );
        const outcome = await takeDose(act, id, details, email);
        if (!outcome.done) throw new Error('every warning was confirmed');
        taken.push(outcome);
        const question = questionOf(outcome, confirmed);
        if (question !== null && !answers.includes(question.key)) questions.push(question);
      }
      if (questions.length > 0) throw new OpenQuestions(questions);
      return { done: true, taken };
    });
  } catch (error) {
    if (error instanceof OpenQuestions) return { done: false, questions: error.questions };
    throw error;
  }
}

/**
 * Undoes several doses that were logged, in one act: all of them or none.
 * @throws AppError CONFLICT when one of them is not logged, NOT_FOUND, PREMIUM_REQUIRED
 */
export async function undoDoses(ctx: Ctx, input: UndoDosesInput): Promise<void> {
  const { id: ownerId } = await premiumOwner(ctx, 'dose.change');
  const { ids } = parseInput(undoDosesSchema, input);
  await ctx.transaction(async () => {
    const doses = await ownedDoses(ctx, ownerId, ids);
    for (const { id, status } of doses.toReversed()) {
      // Undoing a pending dose would undo its move.
      if (status === 'pending') throw conflict('NOTHING_TO_UNDO', DOSE_MESSAGES.nothingToUndo);
      await undoDose(ctx, id);
    }
  });
}

/** Doses as lines with what to draw for each from the vials as they are now. @throws AppError PREMIUM_REQUIRED */
export async function linesOfDoses(ctx: Ctx, doses: readonly DoseRecord[]): Promise<DrawLine[]> {
  const { id, timeZone, syringe } = await premiumOwner(ctx, 'dose.read');
  return drawLines(doses, await repos(ctx).vials.listActive(id), { timeZone, syringe, now: ctx.now() });
}

/** How far back to look for doses that are due: as long as one can stay pending. */
const LOOK_BACK_MS = 8 * DAY_MS;

/**
 * The pending doses of a time slot, in the order they are due.
 * @param at an instant in the slot; by default the latest slot in which a dose is due now
 * @param email the owner, when called from the terminal
 * @throws AppError PREMIUM_REQUIRED
 */
export async function listSlotDoses(ctx: Ctx, at?: Date, email?: string): Promise<DoseRecord[]> {
  const { id } = await premiumOwner(ctx, 'dose.read', email);
  const now = ctx.now();
  const pending = { status: 'pending' } as const;
  const [latest] =
    at === undefined
      ? await repos(ctx).doses.list(id, {
          ...pending,
          from: new Date(now.getTime() - LOOK_BACK_MS),
          before: new Date(now.getTime() + 1),
          latestFirst: true,
          limit: 1,
        })
      : [];
  const instant = at ?? latest?.dueDate;
  if (instant === undefined) return [];
  const from = slotStart(instant);
  return repos(ctx).doses.list(id, { ...pending, from, before: slotEnd(from), limit: MAX_TOGETHER });
}
