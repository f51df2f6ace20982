import type { Connection, Model, Schema } from 'mongoose';

/** Columns for a noun's fields that are texts, or null while nothing was entered. */
export const textColumns = (fields: object) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, { type: String, default: null }]));

/**
 * An option of schemas whose rows note when they were last changed, in `updatedAt`: mongoose sets it with every write, whoever makes it.
 */
export const NOTES_CHANGES = { timestamps: { createdAt: false, updatedAt: true } } as const;

/** The model of a schema on a connection. Reuses an existing one, because a development reload asks again. */
export function modelOf<T>(connection: Connection, name: string, schema: Schema<T>): Model<T> {
  const existing = connection.models[name] as Model<T> | undefined;
  // Every change is one atomic update, so mongoose's version field is not needed.
  return existing ?? connection.model<T>(name, schema.set('versionKey', false));
}
