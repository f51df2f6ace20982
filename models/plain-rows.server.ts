import type { Schema, SchemaType } from 'mongoose';

/** Whether a value is of a type's kind as it stands, so that a cast would leave it as it is. */
const IS_OF_KIND: Readonly<Record<string, (value: unknown) => boolean>> = {
  String: (value) => typeof value === 'string',
  Number: (value) => typeof value === 'number' && Number.isFinite(value),
  Boolean: (value) => typeof value === 'boolean',
  Date: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  // What stands in an array has a schema of its own.
  Array: (value) => Array.isArray(value) && value.length === 0,
};

/** What a field takes and what it gets when nothing is given. */
interface PlainField {
  accepts(value: unknown): boolean;
  /** Undefined: the field stays away. */
  fallback(): unknown;
}

/** Validators that {@link fieldOf} knows itself. */
const KNOWN_VALIDATORS = new Set(['required', 'enum']);

/** Null for a field that only mongoose understands: nested documents, setters, rules of its own. */
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
  return {
    accepts(value) {
      if (value === null) return !isRequired;
      // An empty text is missing where a text is required, as it is to mongoose.
      if (value === '' && isRequired) return false;
      return isOfKind(value) && (values === null || values.has(value));
    },
    fallback: () => (isArray ? [] : (given as unknown)),
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
 * A row as mongoose would store it, checked field by field against the schema. Making a document for each of many
 * thousand rows takes most of the time of writing them, and finds nothing in rows that the domain has checked already.
 * @returns null when that cannot be told here, or the row is not valid: then a document has to say so
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
    // A nested document that is not given stays away.
    const fallback = field?.fallback();
    if (fallback !== undefined) plain[name] = fallback;
    else if (field?.accepts(null) === false) return null;
  }
  return plain as Row;
}
