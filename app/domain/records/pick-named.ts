import { AppError, fieldError } from '#app/domain/errors.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';

/** What to say when a name leads to no record, or to several. */
interface Words {
  /** The field that has the name. */
  field: string;
  /** "supplies" */
  records: string;
  missing: string;
}

/**
 * The record named at the terminal: by its id, or by its name if only one has it.
 * @throws AppError NOT_FOUND, INVALID_INPUT at the field if several have the name
 */
export function pickNamed<R extends { id: string; name: string }>(
  all: readonly R[],
  nameOrId: string,
  { field, records, missing }: Words,
): R {
  const byId = all.find(({ id }) => id === nameOrId);
  const named = all.filter(({ name }) => vialNameKey(name) === vialNameKey(nameOrId));
  const found = byId ?? named[0];
  if (found === undefined) throw new AppError('NOT_FOUND', missing);
  if (byId !== undefined || named.length === 1) return found;
  const ids = named.map(({ id }) => id).join(', ');
  throw fieldError(field, `Several ${records} have this name. Use one of their ids: ${ids}`);
}
