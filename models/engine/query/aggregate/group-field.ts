import type { Accumulator } from '../expression/accumulators.ts';
import type { Expr, Scope } from '../expression/types.ts';

/** One computed field of a group: what it takes of each document, and how a group's accumulator is made. */
export interface GroupField {
  name: string;
  input: Expr;
  /** @param key a scope whose root is the group's key */
  make(key: Scope): Accumulator;
}
