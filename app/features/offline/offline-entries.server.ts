import { createHmac } from 'node:crypto';
import {
  confirmedCodes,
  unconfirmed,
  type Confirmation,
  type DoseWarning,
} from '#app/domain/doses/dose-warnings.ts';
import { AppError, isAppError } from '#app/domain/errors.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import {
  OFFLINE_FIELDS,
  OFFLINE_MESSAGES,
  SKIPPED_ELSEWHERE,
  offlineEntrySchema,
  type OfflineEntryFields,
  type OfflineEntryInput,
} from '#app/domain/offline/offline-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { readMoment } from '#app/domain/time/zoned-time.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import { saveCalculation } from '#app/features/calculator/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import {
  logDose,
  getDose,
  skipDose,
  takeAsNeeded,
  takeDose,
  type TakeOutcome,
} from '#app/features/doses/index.server.ts';
import { runOnce } from '#app/platform/idempotency/idempotency.server.ts';
import { logSite, addSideEffect } from '#app/features/tracking/index.server.ts';

/** What a browser needs once in a session to make the key of its store. */
export interface OfflineSecret {
  userId: string;
  sessionId: string;
  email: string;
  /** 32 bytes in base64url that say nothing; kept nowhere. */
  secret: string;
}

/**
 * The secret of this session for the browser's encrypted store. A browser asks once; one that asks again (another tab, a
 * store that was lost) gets the same. With the session it is over: nobody can ask for it, and the next one has another.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN for a personal token
 */
export function makeOfflineSecret(ctx: Ctx): OfflineSecret {
  const { id, sessionId, email } = authoriseUser(ctx.actor, 'offline.keep');
  const secret = createHmac('sha256', ctx.secret).update(`offline store\n${id}\n${sessionId}`);
  return { userId: id, sessionId, email, secret: secret.digest('base64url') };
}

/** Either it is written, now or at an earlier try, or there is something to ask first and nothing was written. */
export type OfflineOutcome =
  | { done: true }
  /** `askedAmount` is sent back with the yes to an unusual amount: it counts for this amount alone. */
  | { done: false; warnings: Question[]; askedAmount?: string };

/** Something to answer before an entry is written; its code goes along with the answer. */
interface Question {
  code: DoseWarning['code'] | typeof SKIPPED_ELSEWHERE;
  message: string;
}

/** Leaves the entry's name free, so that it can be sent again with the answer. */
class QuestionFirst extends Error {
  readonly warnings: Question[];
  readonly askedAmount: string | undefined;
  constructor(warnings: Question[], askedAmount?: string) {
    super('a question first');
    this.warnings = warnings;
    this.askedAmount = askedAmount;
  }
}

type Unanswered = Extract<TakeOutcome, { done: false }>;

function questionFirst(
  { warnings, askedAmount }: Unanswered,
  input: Confirmation,
  more: readonly Question[] = [],
): QuestionFirst {
  const open = unconfirmed(warnings, confirmedCodes(input, askedAmount));
  return new QuestionFirst([...open, ...more], askedAmount);
}

async function writeCalculation(ctx: Ctx, { id, fields }: OfflineEntryFields, madeAt: Date): Promise<void> {
  const parsed = parseCalculationForm(parseInput(OFFLINE_FIELDS.calculation, fields));
  if (!parsed.ok) {
    const [message = 'The calculation is not valid.'] = Object.values(parsed.fields).flat();
    throw new AppError('INVALID_INPUT', message, { fields: parsed.fields });
  }
  await saveCalculation(ctx, parsed.input, { saveKey: id, madeAt });
}

/** True when the dose is taken as this very entry says: the answer to an earlier try was lost. */
async function isWrittenAlready(ctx: Ctx, doseId: string, takenAt: Date): Promise<boolean> {
  const dose = await getDose(ctx, doseId);
  return dose.status === 'taken' && dose.takenAt?.getTime() === takenAt.getTime();
}

async function writeTakenDose(ctx: Ctx, { fields }: OfflineEntryFields, madeAt: Date): Promise<void> {
  const { doseId, confirmed: answers, ...input } = parseInput(OFFLINE_FIELDS['dose-taken'], fields);
  const confirmed = answers.filter((code) => code !== SKIPPED_ELSEWHERE);
  const takenAt = input.takenAt ?? madeAt.toISOString();
  const { status } = await getDose(ctx, doseId);
  if (status === 'skipped' && !answers.includes(SKIPPED_ELSEWHERE))
    throw new QuestionFirst([{ code: SKIPPED_ELSEWHERE, message: OFFLINE_MESSAGES.skipped }]);
  try {
    const outcome = await takeDose(ctx, doseId, { ...input, confirmed, takenAt });
    if (!outcome.done) {
      const isSkipped = status === 'skipped';
      const skipped = { code: SKIPPED_ELSEWHERE, message: OFFLINE_MESSAGES.skipped } as const;
      throw questionFirst(outcome, { ...input, confirmed }, isSkipped ? [skipped] : []);
    }
  } catch (error) {
    if (!isAppError(error) || error.code !== 'DOSE_ALREADY_LOGGED') throw error;
    const at = readMoment(takenAt, ctx.timeZone, ctx.now());
    if (at === null || !(await isWrittenAlready(ctx, doseId, at))) throw error;
  }
}

async function writeLoggedDose(ctx: Ctx, { id, fields }: OfflineEntryFields, madeAt: Date): Promise<void> {
  const input = parseInput(OFFLINE_FIELDS['dose-logged'], fields);
  const takenAt = input.takenAt ?? madeAt.toISOString();
  const outcome = await logDose(ctx, { ...input, takenAt }, { idempotencyKey: id });
  if (!outcome.done) throw questionFirst(outcome, input);
}

async function writeDoseAsNeeded(ctx: Ctx, { id, fields }: OfflineEntryFields, madeAt: Date): Promise<void> {
  const { scheduleId, ...input } = parseInput(OFFLINE_FIELDS['dose-as-needed'], fields);
  const takenAt = input.takenAt ?? madeAt.toISOString();
  const outcome = await takeAsNeeded(ctx, scheduleId, { ...input, takenAt }, { idempotencyKey: id });
  if (!outcome.done) throw questionFirst(outcome, input);
}

async function writeSkippedDose(ctx: Ctx, { fields }: OfflineEntryFields): Promise<void> {
  const { doseId, ...input } = parseInput(OFFLINE_FIELDS['dose-skipped'], fields);
  await skipDose(ctx, doseId, input);
}

/** The operation behind each kind. All of them write an entry of the same name once. */
const WRITE: Record<
  OfflineEntryFields['kind'],
  (ctx: Ctx, entry: OfflineEntryFields, madeAt: Date) => Promise<unknown>
> = {
  calculation: writeCalculation,
  'dose-taken': writeTakenDose,
  'dose-skipped': writeSkippedDose,
  'dose-as-needed': writeDoseAsNeeded,
  'dose-logged': writeLoggedDose,
  site: (ctx, { id, fields }) => logSite(ctx, { ...parseInput(OFFLINE_FIELDS.site, fields), saveKey: id }),
  'side-effect': (ctx, { id, fields }) =>
    addSideEffect(ctx, { ...parseInput(OFFLINE_FIELDS['side-effect'], fields), saveKey: id }),
};

/**
 * Writes what the signed-in user entered without a connection, once however often it is sent, at its original time.
 * @throws AppError FORBIDDEN when it is somebody else's, and whatever the operation behind it throws
 */
export async function writeOfflineEntry(ctx: Ctx, input: OfflineEntryInput): Promise<OfflineOutcome> {
  const user = authoriseUser(ctx.actor, 'offline.write');
  const entry = parseInput(offlineEntrySchema, input);
  if (entry.userId !== user.id) throw new AppError('FORBIDDEN', OFFLINE_MESSAGES.otherUser);
  const madeAt = readMoment(entry.at, ctx.timeZone, ctx.now()) ?? ctx.now();
  const call = {
    key: `offline-${entry.id}`,
    fingerprint: JSON.stringify([entry.kind, entry.at, entry.fields]),
    keepsAnswer: true,
  };
  try {
    await runOnce(ctx, call, async () => {
      await WRITE[entry.kind](ctx, entry, madeAt);
      return {};
    });
    return { done: true };
  } catch (error) {
    if (error instanceof QuestionFirst) {
      const { warnings, askedAmount } = error;
      return { done: false, warnings, askedAmount };
    }
    throw error;
  }
}
