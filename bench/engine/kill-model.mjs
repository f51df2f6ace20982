// What the killed writers write, so that the survivor of a crash can be held to it.
export const NS = 'kill.documents';
export const PAIRS = 'kill.pairs';

/** Every seventh step removes the document, the next one inserts it anew. */
const ROUND = 7;

/** The document after a step; null when the step removed it. */
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
