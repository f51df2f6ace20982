/**
 * The query language: filtering, sorting, updating, projecting and aggregating documents. Pure
 * functions over decoded documents, independent of storage.
 */
export { compareValues, equalValues } from './compare.ts';
export { indexBounds, type Bound } from './bounds.ts';
export { singleValue, valuesUnder, type ReadValue } from './extract.ts';
export { compileFilter, type Matcher } from './filter.ts';
export { compileProjection } from './projection.ts';
export { compileSorter, sortDocuments, type SortKey } from './sort.ts';
export { checkStorable, compileUpdate, isReplacement, type CompiledUpdate } from './update.ts';
export { upsertSeed } from './upsert.ts';
export { compilePipeline, leadingQuery } from './pipeline.ts';
