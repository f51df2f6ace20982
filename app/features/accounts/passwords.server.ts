import { hash, parseOptions, verify } from '@node-rs/argon2';

/** Argon2id as ASVS 11.4.2 asks: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The form that is hashed, so that the same characters typed on another system are the same password. */
const composed = (password: string) => password.normalize('NFKC');

/** Hashes a password; about 20 ms of another thread. */
export function hashPassword(password: string): Promise<string> {
  return hash(composed(password), COST);
}

let dummy: Promise<string> | undefined;

/** A hash of nothing anybody knows, for the same work where there is no account. */
function dummyHash(): Promise<string> {
  return (dummy ??= hash(crypto.randomUUID(), COST));
}

/** Whether a password belongs to a hash. Without a hash it takes as long and is never right. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const right = await verify(passwordHash ?? (await dummyHash()), composed(password));
  return passwordHash !== null && right;
}

/** True for a hash made at a lower cost than today's. */
export function isWeakHash(passwordHash: string): boolean {
  const made = parseOptions(passwordHash);
  return (
    !passwordHash.startsWith('$argon2id$v=19$') ||
    made.memoryCost < COST.memoryCost ||
    made.timeCost < COST.timeCost
  );
}

/** Makes the dummy hash ahead of time, so that the first unknown address is not slower than the next. */
export async function warmPasswords(): Promise<void> {
  await dummyHash();
}
