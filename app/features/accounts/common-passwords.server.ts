import { createHash } from 'node:crypto';

/** Characters of one entry in the list. */
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

/** Whether a password is one of the 3,000 commonest that are long enough to be accepted otherwise (ASVS 6.2.4). */
export async function isCommonPassword(password: string): Promise<boolean> {
  entries ??= loadEntries();
  const entry = createHash('sha256').update(password).digest().subarray(0, 6).toString('base64url');
  return (await entries).has(entry);
}
