import { AppError, fieldError } from '#app/domain/errors.ts';
import type { Transaction } from '#models/index.server.ts';
import { IF_MATCH_SYNTAX } from '#app/platform/http/request-rules.ts';
import { plainTag, tagOf, type Envelope } from './answer.server.ts';

/** The tags of a record that a change is meant for, as in `If-Match`; `any` for every record that exists. */
export type Precondition = ReadonlySet<string> | 'any';

/** Entity tags with commas between them (RFC 9110, 8.8.3 and 13.1.1). */
const TAGS = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[\t ]*,[\t ]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*$/;
const TAG = /W\/|"[^"]*"/g;

/**
 * The precondition of a change. A weak tag says that two versions are about the same, which is not enough for a change, so it
 * never matches.
 * @param header the value of `If-Match`; null without one
 * @throws AppError INVALID_INPUT
 */
export function preconditionOf(header: string | null): Precondition | null {
  if (header === null) return null;
  if (header.trim() === '*') return 'any';
  if (!TAGS.test(header.trim())) throw fieldError('If-Match', IF_MATCH_SYNTAX);
  const parts = [...header.matchAll(TAG)].map(([part]) => part);
  return new Set(parts.filter((part, index) => part !== 'W/' && parts[index - 1] !== 'W/'));
}

/**
 * Compares a precondition with the record as it is read now.
 * @throws AppError PRECONDITION_FAILED with the record
 */
export function requireMatch(precondition: Precondition, current: Envelope): void {
  const { data = {} } = JSON.parse(current.body) as { data?: Record<string, unknown> };
  const tag = tagOf(current.body, 'strong');
  const exists = Object.values(data).some((value) => value !== null);
  if (precondition === 'any' ? exists : [...precondition].some((one) => plainTag(one) === tag)) return;
  throw new AppError(
    'PRECONDITION_FAILED',
    'Nothing was changed: this is not the current version. Read it again.',
    { current: { tag, data } },
  );
}

/**
 * The same transactions, the first of which begins with a check. For calls that ask another server before their only
 * transaction, which must not be open meanwhile.
 */
export function beginningWith(check: () => Promise<void>, transaction: Transaction): Transaction {
  let isChecked = false;
  return (act) => {
    if (isChecked) return transaction(act);
    isChecked = true;
    return transaction(async () => {
      await check();
      return act();
    });
  };
}
