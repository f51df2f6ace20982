import { createHash } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { inPasswordQueue, type PasswordCaller } from './password-queue.server.ts';
import { ACCOUNT_MESSAGES } from '#app/domain/accounts/account-schema.ts';
import { isAdminRole, type Role } from '#app/domain/accounts/account.ts';
import { AppError, fieldError } from '#app/domain/errors.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** Argon2id as ASVS 11.4.2 asks: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Whether accounts with this role have passwords here. Those of administrators always work: without them nobody could mend
 * a server whose provider is away.
 */
export const mayUsePassword = (ctx: Pick<Ctx, 'hasPasswords'>, role: Role): boolean =>
  ctx.hasPasswords || isAdminRole(role);

/** @throws AppError SWITCHED_OFF where accounts with this role have no passwords */
export function requirePasswords(ctx: Pick<Ctx, 'hasPasswords'>, role: Role): void {
  if (!mayUsePassword(ctx, role)) throw new AppError('SWITCHED_OFF', ACCOUNT_MESSAGES.noPasswords);
}

/** Normalised before hashing, so that the same characters typed on another system give the same password. */
const normalised = (password: string) => password.normalize('NFKC');

/**
 * Hashes a password, in about 20 ms on another thread, when it is the caller's turn.
 * @throws AppError RATE_LIMITED, as {@link inPasswordQueue}
 */
export function hashPassword(caller: PasswordCaller, password: string): Promise<string> {
  return inPasswordQueue(caller, () => hash(normalised(password), COST));
}

let dummy: Promise<string> | undefined;

/** The hash of a password that nobody knows. Checking it takes the same work when there is no account. */
function dummyHash(): Promise<string> {
  return (dummy ??= hash(crypto.randomUUID(), COST));
}

/** Creates the dummy hash in advance, so that the first unknown address takes no longer than later ones. */
export async function warmPasswords(): Promise<void> {
  await dummyHash();
}

/** Whether a password matches a hash. Without a hash it returns false after the same time. For {@link inPasswordQueue}. */
export async function isPasswordOf(passwordHash: string | null, password: string): Promise<boolean> {
  const isRight = await verify(passwordHash ?? (await dummyHash()), normalised(password));
  return passwordHash !== null && isRight;
}

/**
 * The same when it is the caller's turn.
 * @throws AppError RATE_LIMITED, as {@link inPasswordQueue}
 */
export function verifyPassword(
  caller: PasswordCaller,
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  return inPasswordQueue(caller, () => isPasswordOf(passwordHash, password));
}

/** True for a hash with a lower cost than the current one. */
export function isWeakHash(passwordHash: string): boolean {
  const made = parseOptions(passwordHash);
  return (
    !passwordHash.startsWith('$argon2id$v=19$') ||
    made.memoryCost < COST.memoryCost ||
    made.timeCost < COST.timeCost
  );
}

/** Refuses the most common passwords. @throws AppError INVALID_INPUT at the password's field */
export async function refuseCommonPassword(password: string, field = 'password'): Promise<void> {
  if (!(await isCommonPassword(password))) return;
  throw fieldError(field, ACCOUNT_MESSAGES.passwordCommon);
}

/** Characters per entry in the list. */
const ENTRY = 8;

let entries: Promise<ReadonlySet<string>> | undefined;

async function loadEntries(): Promise<ReadonlySet<string>> {
  const { COMMON_PASSWORD_HASHES } = await import('./common-password-hashes.server.ts');
  const set = new Set<string>();
  for (let at = 0; at < COMMON_PASSWORD_HASHES.length; at += ENTRY) {
    set.add(COMMON_PASSWORD_HASHES.slice(at, at + ENTRY));
  }
  return set;
}

/** Whether a password is one of the 3,000 most common ones that are otherwise long enough (ASVS 6.2.4). */
export async function isCommonPassword(password: string): Promise<boolean> {
  entries ??= loadEntries();
  const entry = createHash('sha256').update(password).digest().subarray(0, 6).toString('base64url');
  return (await entries).has(entry);
}
