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
} from '#app/domain/offline/offline-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { readMoment } from '#app/domain/time/zoned-time.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import { saveCalculation } from '#app/features/calculator/index.server.ts';
import { syringesOf, type Ctx } from '#app/platform/access/context.server.ts';
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

/** What a browser needs once per session to derive the key of its store. */
export interface OfflineSecret {
  userId: string;
  sessionId: string;
  email: string;
  /** 32 bytes in base64url, derived from the session and not stored. */
  secret: string;
}

/**
 * The secret of this session for the browser's encrypted store. Another tab, or a browser that lost its store, gets the
 * same one. When the session ends, it can no longer be requested, and the next session has a different one.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN for a personal token
 */
export function makeOfflineSecret(ctx: Ctx): OfflineSecret {
  const { id, sessionId, email } = authoriseUser(ctx.actor, 'offline.keep');
  const secret = createHmac('sha256', ctx.secret).update(`offline store\n${id}\n${sessionId}`);
  return { userId: id, sessionId, email, secret: secret.digest('base64url') };
}

/** Either the entry is saved, now or by an earlier attempt, or a question must be answered first and nothing was saved. */
export type OfflineOutcome =
  | { done: true }
  /** `askedAmount` is sent back to confirm an unusual amount: the confirmation is valid for this amount only. */
  | { done: false; warnings: Question[]; askedAmount?: string };

/** A question to answer before an entry is saved; the answer contains its code. */
interface Question {
  code: DoseWarning['code'] | typeof SKIPPED_ELSEWHERE;
  message: string;
}

/** Thrown so that the entry's id stays unused and it can be sent again with the answer. */
class QuestionError extends Error {
  readonly warnings: Question[];
  readonly askedAmount: string | undefined;
  constructor(warnings: Question[], askedAmount?: string) {
    super('a question first');
    this.warnings = warnings;
    this.askedAmount = askedAmount;
  }
}

type Unanswered = Extract<TakeOutcome, { done: false }>;

function questionError(
  { warnings, askedAmount }: Unanswered,
  input: Confirmation,
  more: readonly Question[] = [],
): QuestionError {
  const open = unconfirmed(warnings, confirmedCodes(input, askedAmount));
  return new QuestionError([...open, ...more], askedAmount);
}

async function writeCalculation(ctx: Ctx, { id, fields }: OfflineEntryFields, madeAt: Date): Promise<void> {
  const parsed = parseCalculationForm(parseInput(OFFLINE_FIELDS.calculation, fields), syringesOf(ctx));
  if (!parsed.ok) {
    const [message = 'The calculation is not valid.'] = Object.values(parsed.fields).flat();
    throw new AppError('INVALID_INPUT', message, { fields: parsed.fields });
  }
  await saveCalculation(ctx, parsed.input, { saveKey: id, madeAt });
}

/** True when the dose was already taken by this entry: the answer to an earlier attempt was lost. */
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
    throw new QuestionError([{ code: SKIPPED_ELSEWHERE, message: OFFLINE_MESSAGES.skipped }]);
  try {
    const outcome = await takeDose(ctx, doseId, { ...input, confirmed, takenAt });
    if (!outcome.done) {
      const isSkipped = status === 'skipped';
      const skipped = { code: SKIPPED_ELSEWHERE, message: OFFLINE_MESSAGES.skipped } as const;
      throw questionError(outcome, { ...input, confirmed }, isSkipped ? [skipped] : []);
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
  if (!outcome.done) throw questionError(outcome, input);
}

async function writeDoseAsNeeded(ctx: Ctx, { id, fields }: OfflineEntryFields, madeAt: Date): Promise<void> {
  const { scheduleId, ...input } = parseInput(OFFLINE_FIELDS['dose-as-needed'], fields);
  const takenAt = input.takenAt ?? madeAt.toISOString();
  const outcome = await takeAsNeeded(ctx, scheduleId, { ...input, takenAt }, { idempotencyKey: id });
  if (!outcome.done) throw questionError(outcome, input);
}

async function writeSkippedDose(ctx: Ctx, { fields }: OfflineEntryFields): Promise<void> {
  const { doseId, ...input } = parseInput(OFFLINE_FIELDS['dose-skipped'], fields);
  await skipDose(ctx, doseId, input);
}

/** The operation behind each kind. Each saves an entry with the same id only once. */
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
 * Saves what the signed-in user logged offline, at its original time. An entry that is sent twice is saved once.
 * @throws AppError FORBIDDEN when the entry belongs to someone else; as the operation behind it
 */
export async function writeOfflineEntry(ctx: Ctx, input: unknown): Promise<OfflineOutcome> {
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
    if (error instanceof QuestionError) {
      const { warnings, askedAmount } = error;
      return { done: false, warnings, askedAmount };
    }
    throw error;
  }
}
