import type { Connection, Model, Schema } from 'mongoose';

/** The model of a schema on a connection; asking again gives the same one, which a reload in development does. */
export function modelOf<T>(connection: Connection, name: string, schema: Schema<T>): Model<T> {
  const existing = connection.models[name] as Model<T> | undefined;
  // Documents hold what the row says and nothing else: every change is one atomic update, so no version is needed.
  return existing ?? connection.model<T>(name, schema.set('versionKey', false));
}
