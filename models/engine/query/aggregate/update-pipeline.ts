import { unpaused } from '../../budget.ts';
import { EngineError } from '../../errors.ts';
import { isDocument, type Document } from '../../values/types.ts';
import { compilePipeline } from './pipeline.ts';

const ALLOWED = new Set(['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith']);

/** Compiles the pipeline of an update to a function of one document. */
export function compileUpdatePipeline(
  stages: Document[],
  o: { now: Date; variables?: Document },
): (doc: Document) => Document {
  for (const stage of stages) {
    const [name = ''] = isDocument(stage) ? Object.keys(stage) : [];
    if (name.startsWith('$') && !ALLOWED.has(name)) {
      throw new EngineError('InvalidOptions', `${name} is not allowed to be used within an update`);
    }
  }
  const run = compilePipeline(stages, o);
  return (doc) => {
    for (const result of unpaused(run([doc]))) return result;
    return doc;
  };
}
