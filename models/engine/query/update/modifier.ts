import type { Document } from '../../values/types.ts';
import type { FilterContext } from '../filter/compile.ts';

/** Where a modifier is applied, for messages. */
export interface Site {
  path: string;
  doc: Document;
}

/** The field is to be removed. */
export const REMOVE = Symbol('remove');

/** What an operator does at the end of a path. */
export interface Modifier {
  /** The new value of a field that exists, or {@link REMOVE}; the value may be changed in place. */
  change(value: unknown, site: Site): unknown;
  /** The value of a field that does not exist yet; without it such a field stays missing. */
  create?: (site: Site) => unknown;
  /** A path that leads through a scalar is an error although nothing would be created. */
  strictPath?: boolean;
  /** Applied only when an upsert inserts. */
  insertOnly?: boolean;
  /** The path the value comes from, of a `$rename`. */
  source?: string[];
}

/** What operators need to be read. */
export interface ModifierContext {
  now: Date;
  filter: FilterContext;
}

/** Reads the argument of an operator for one path. */
export type ReadModifier = (argument: unknown, path: string, c: ModifierContext) => Modifier;
