/**
 * What documents mean: which ones match a filter, how they are ordered, changed, projected and aggregated. Pure
 * functions over decoded documents; they know nothing of storage.
 */
export { compareValues, equalValues, typeRank } from './compare.ts';
export { indexBounds, type Bound } from './bounds.ts';
export { compileFilter, type FilterOptions, type Matcher } from './filter/index.ts';
export { compileProjection, type ProjectionOptions } from './projection/index.ts';
export { compileSort, compileSorter, sortDocuments, type SortKey, type Sorter } from './sort.ts';
export {
  applyUpdate,
  checkStorable,
  compileUpdate,
  isReplacement,
  type CompiledUpdate,
  type UpdateOptions,
} from './update/index.ts';
export { upsertSeed } from './update/upsert.ts';
export {
  compilePipeline,
  flow,
  leadingQuery,
  runPipeline,
  validatePipeline,
  type LeadingQuery,
  type PipelineContext,
} from './aggregate/index.ts';
