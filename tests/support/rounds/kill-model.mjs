// What the killed writers write, so that the data after a crash can be checked.
export const NS = 'kill.documents';
export const PAIRS = 'kill.pairs';

/** Every seventh step removes the document, and the next one inserts it again. */
const ROUND = 7;

/** The document after a step; null if the step removed it. */
export function stateAfter(id, step) {
  if (step % ROUND === ROUND - 1) return null;
  return {
    _id: id,
    owner: id.split('.')[0],
    step,
    code: `${id}:${step}`,
    tag: `tag ${step % 4} of ${id}`,
    text: 'x'.repeat((step * 37) % 900),
  };
}
