import { trusted } from 'mongoose';

/** A filter for rows one of whose fields holds a text, capitals or not; every character stands for itself. */
export function containing(search: string, fields: readonly string[]): Record<string, unknown> {
  if (search === '') return {};
  const $regex = search.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return { $or: fields.map((field) => ({ [field]: trusted({ $regex, $options: 'i' }) })) };
}
