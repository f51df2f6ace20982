import { conflict } from '#app/domain/errors.ts';

/** Returned by a round whose write found that another writer was first. */
export const LOST = Symbol('somebody else wrote first');

/** One writer wins each round, so this is far more than ever needed. */
const MOST_ROUNDS = 200;

type Round<T> = () => Promise<T | typeof LOST>;

/**
 * Reads a value, computes its next state and writes it only if it is unchanged. If another writer was first, the whole round
 * runs again on the new value, so that all concurrent changes take effect.
 * @param round reads, computes and tries to write; returns {@link LOST} if the value had changed
 * @param busy the message if every round was lost
 * @throws AppError CONFLICT with that message, and errors of `round`
 */
export async function compareAndSet<T>(round: Round<T>, busy: string, rounds = MOST_ROUNDS): Promise<T> {
  for (let count = 0; count < rounds; count += 1) {
    const result = await round();
    if (result !== LOST) return result;
  }
  throw conflict('CHANGED_MEANWHILE', busy);
}
