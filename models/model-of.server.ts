import type { Connection, Model, Schema } from 'mongoose';

/** The model of a schema on a connection; asking again gives the same one, which a reload in development does. */
export function modelOf<T>(connection: Connection, name: string, schema: Schema<T>): Model<T> {
  const existing = connection.models[name] as Model<T> | undefined;
  return existing ?? connection.model<T>(name, schema);
}
