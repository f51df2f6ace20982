import { conflict } from '#app/domain/errors.ts';

/** What a round answers when somebody else wrote first. */
export const LOST = Symbol('somebody else wrote first');

/** Of concurrent writers one wins each round, so this is far more than is ever needed. */
const MOST_ROUNDS = 200;

type Round<T> = () => Promise<T | typeof LOST>;

/**
 * Reads something, computes its next state and writes it only if it is still as it was read. When somebody else wrote
 * in between, the whole round runs again on what they wrote, so that concurrent changes all take effect.
 * @param round reads, computes and tries to write; {@link LOST} when its write found another state
 * @param busy the message when every round was lost
 * @throws AppError CONFLICT with that message, and whatever `round` throws
 */
export async function compareAndSet<T>(round: Round<T>, busy: string, rounds = MOST_ROUNDS): Promise<T> {
  const result = await tryCompareAndSet(round, rounds);
  if (result === LOST) throw conflict('CHANGED_MEANWHILE', busy);
  return result;
}

/** The same for work that somebody finishes later. @returns {@link LOST} when every round was lost */
export async function tryCompareAndSet<T>(round: Round<T>, rounds = MOST_ROUNDS): Promise<T | typeof LOST> {
  for (let count = 0; count < rounds; count += 1) {
    const result = await round();
    if (result !== LOST) return result;
  }
  return LOST;
}
