import {
  type Schema,
  type SchemaType,
  type Model,
  type mongo,
  trusted,
  type QueryFilter,
  type UpdateQuery,
} from 'mongoose';

/** Whether a value already has a schema type's form, so that a cast would not change it. */
const IS_OF_KIND: Readonly<Record<string, (value: unknown) => boolean>> = {
  String: (value) => typeof value === 'string',
  Number: (value) => typeof value === 'number' && Number.isFinite(value),
  Boolean: (value) => typeof value === 'boolean',
  Date: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  // The elements of an array have a schema of their own.
  Array: (value) => Array.isArray(value) && value.length === 0,
};

/** Which values a field accepts, and its default. */
interface PlainField {
  accepts(value: unknown): boolean;
  /** Undefined if the field stays absent. */
  fallback(): unknown;
}

/** Validators that {@link fieldOf} implements. */
const KNOWN_VALIDATORS = new Set(['required', 'enum']);

/** Null for a field that needs mongoose: nested documents, setters, custom validators. */
function fieldOf(type: SchemaType): PlainField | null {
  const isOfKind = IS_OF_KIND[type.instance];
  const { required, default: given, enum: listed } = type.options;
  const validators = type.validators as { type?: string }[];
  const isPlain = validators.every((validator) => KNOWN_VALIDATORS.has(validator.type ?? ''));
  const setters = (type as unknown as { setters: unknown[] }).setters;
  if (isOfKind === undefined || !isPlain || setters.length > 0 || typeof required === 'function') return null;
  if (listed !== undefined && !Array.isArray(listed)) return null;
  const isArray = type.instance === 'Array';
  if (typeof given === 'function' || (!isArray && typeof given === 'object' && given !== null)) return null;
  const values = listed === undefined ? null : new Set<unknown>(listed as unknown[]);
  const isRequired = required === true;
  const staysAway = (type as unknown as { defaultValue: unknown }).defaultValue === undefined;
  return {
    accepts(value) {
      if (value === null) return !isRequired;
      // As in mongoose, an empty text counts as missing where a text is required.
      if (value === '' && isRequired) return false;
      return isOfKind(value) && (values === null || values.has(value));
    },
    // An array defaults to empty unless its schema says that it stays absent.
    fallback: () => (isArray && !staysAway ? [] : (given as unknown)),
  };
}

type Fields = Map<string, PlainField | null>;
const known = new WeakMap<object, Fields>();

function fieldsOf(schema: Schema<never>): Fields {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const fields: Fields = new Map();
  schema.eachPath((path, type) => fields.set(path, fieldOf(type as SchemaType)));
  known.set(schema, fields);
  return fields;
}

/**
 * A row as mongoose would store it, checked field by field against the schema. Creating a mongoose document for each of
 * many thousand rows would take most of the writing time, and finds no errors in rows that the domain has validated.
 * @returns null when this cannot be decided here or the row is invalid; a mongoose document must then decide
 */
export function plainRow<Row>(schema: Schema<Row>, row: Row): Row | null {
  const fields = fieldsOf(schema as unknown as Schema<never>);
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row as Record<string, unknown>)) {
    if (value === undefined) continue;
    if (fields.get(name)?.accepts(value) !== true) return null;
    plain[name] = value;
  }
  for (const [name, field] of fields) {
    if (name in plain) continue;
    // An omitted nested document stays absent.
    const fallback = field?.fallback();
    if (fallback !== undefined) plain[name] = fallback;
    else if (field?.accepts(null) === false) return null;
  }
  return plain as Row;
}

/** True for the server's answer that a unique value is taken. */
export function isDuplicateKey(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 11000;
}

/** Two concurrent upserts of a new document may both try to create it; on retry, the second one finds it. */
export async function retryOnDuplicate<T>(attempt: () => PromiseLike<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return attempt();
  }
}

/**
 * Writes a new document; fields with a default may be missing.
 * @returns false when its id, or another value that must be unique, is taken
 */
export async function insertUnlessTaken<T>(model: Model<T>, row: Partial<T>): Promise<boolean> {
  try {
    await model.create(row as T);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** True when an unordered insert failed only because rows existed already. */
function onlyDuplicates(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const failures: unknown = 'writeErrors' in error ? error.writeErrors : undefined;
  if (!Array.isArray(failures) || failures.length === 0) return isDuplicateKey(error);
  return failures.every((failure: unknown) => isDuplicateKey(failure));
}

/**
 * Adds rows whose id does not exist yet and leaves existing ones unchanged. Repeating it changes nothing.
 * @returns whether every row was added
 */
export async function insertMissing<T>(model: Model<T>, rows: readonly T[]): Promise<boolean> {
  const plain: T[] = [];
  const others: T[] = [];
  for (const row of rows) {
    const checked = plainRow(model.schema as unknown as Schema<T>, row);
    if (checked === null) others.push(row);
    else plain.push(checked);
  }
  let areAllNew = true;
  // These first, because an invalid row stops everything.
  if (others.length > 0)
    areAllNew = await areNew(() =>
      model.insertMany(others, { ordered: false, throwOnValidationError: true }),
    );
  if (plain.length > 0) {
    const insert = () => model.collection.insertMany(plain as mongo.BSON.Document[], { ordered: false });
    areAllNew = (await areNew(insert)) && areAllNew;
  }
  return areAllNew;
}

async function areNew(insert: () => Promise<unknown>): Promise<boolean> {
  try {
    await insert();
    return true;
  } catch (error) {
    if (!onlyDuplicates(error)) throw error;
    return false;
  }
}

/** Rows that one statement changes or removes, so that other calls get their turn in between. */
export const ROWS_AT_ONCE = 500;

/** The same for rows of up to a quarter of a megabyte, such as chunks of files. */
export const LARGE_ROWS_AT_ONCE = 20;

/**
 * Passes the ids of all matching rows to `write`, some at a time, until none matches: `write` must change or
 * remove them. After an interruption, calling it again continues with the rest.
 */
async function eachBatch<Row>(
  model: Model<Row>,
  filter: QueryFilter<Row>,
  atOnce: number,
  write: (these: QueryFilter<Row>) => Promise<unknown>,
): Promise<void> {
  for (;;) {
    const rows = await model.find(filter, { _id: 1 }).limit(atOnce).lean<{ _id: unknown }[]>();
    const ids = rows.map(({ _id }) => _id);
    // Includes the rest of the filter, so that a row changed meanwhile is left alone.
    if (ids.length > 0) await write({ ...filter, _id: trusted({ $in: ids }) });
    if (ids.length < atOnce) return;
  }
}

/**
 * Removes all matching rows, some at a time. Repeating it is harmless.
 * @returns how many were removed
 */
export async function removeInBatches<Row>(
  model: Model<Row>,
  filter: QueryFilter<Row>,
  atOnce = ROWS_AT_ONCE,
): Promise<number> {
  let removed = 0;
  await eachBatch(model, filter, atOnce, async (these) => {
    removed += (await model.deleteMany(these)).deletedCount;
  });
  return removed;
}

/**
 * Changes all matching rows, some at a time.
 * @param filter a changed row must no longer match it
 */
export async function updateInBatches<Row>(
  model: Model<Row>,
  filter: QueryFilter<Row>,
  update: UpdateQuery<Row>,
): Promise<void> {
  await eachBatch(model, filter, ROWS_AT_ONCE, (these) => model.updateMany(these, update));
}
