import * as z from 'zod';
import { AppError, type FieldErrors, fieldError } from '#app/domain/errors.ts';
import { fieldErrors, MAX_FIELD_LENGTH } from '#app/domain/forms/fields.ts';
import type { Upload, Operation } from './operation.ts';
import { jsonSchemaOf, type JsonSchema } from './json-schema.ts';

/** How deep lists and objects in a body may be nested. */
const MAX_DEPTH = 20;

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** False if lists and objects are nested too deeply. Not recursive, because the depth is untrusted. */
function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    level = level.flatMap((entry) =>
      typeof entry === 'object' && entry !== null ? Object.values(entry as object) : [],
    );
    if (level.length === 0) return true;
  }
  return false;
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('INVALID_INPUT', 'The body is not valid UTF-8.', { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('INVALID_INPUT', 'The body is not valid JSON.', { cause });
  }
}

/** The first text, at any depth, that is longer than a field can be, by its path. */
function longText(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value.length > MAX_FIELD_LENGTH ? path : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, entry] of Object.entries(value)) {
    const part = Array.isArray(value) ? path : `${path === '' ? '' : `${path}.`}${name.slice(0, 100)}`;
    const found = name.length > MAX_FIELD_LENGTH ? part : longText(entry, part);
    if (found !== null) return found;
  }
  return null;
}

/**
 * The JSON object of a call; a missing body counts as an empty object.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, INVALID_INPUT
 */
export async function readJsonBody(request: Request): Promise<Record<string, unknown>> {
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength === 0) return {};
  if (!JSON_TYPE.test(request.headers.get('Content-Type')?.trim() ?? ''))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8.');
  const value = parse(decode(bytes));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AppError('INVALID_INPUT', 'The body must be a JSON object.');
  if (!isShallow(value)) throw new AppError('INVALID_INPUT', 'The body is nested too deeply.');
  const long = longText(value, '');
  if (long !== null)
    throw fieldError(long, `This can have at most ${MAX_FIELD_LENGTH.toLocaleString('en')} characters`);
  return value as Record<string, unknown>;
}

/**
 * The file of a call: in a multipart form or, if the call allows it, as the body.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, INVALID_INPUT
 */
export async function readUpload(request: Request, { field, asBody = [] }: Upload): Promise<File> {
  const type = request.headers.get('Content-Type') ?? '';
  const [bare = ''] = type.toLowerCase().split(';');
  if (asBody.includes(bare.trim())) return new File([await request.arrayBuffer()], '', { type: bare.trim() });
  if (!/^multipart\/form-data\b/i.test(type)) {
    const names = ['multipart/form-data', ...asBody].join(', ');
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `Send the file as ${names}.`);
  }
  const wrong = (message: string, cause?: unknown) => fieldError(field, message, { cause });
  let form: FormData;
  try {
    form = await request.formData();
  } catch (cause) {
    throw wrong('The form could not be read.', cause);
  }
  const [file, ...more] = form.getAll(field);
  if (!(file instanceof File) || more.length > 0) throw wrong(`Send one file in "${field}".`);
  return file;
}

const UNKNOWN = 'Unknown field';
const FIXED = 'This cannot be changed here';
const REVERSED = 'The end must not be before the beginning';
const NO_TEXT = 'This contains an invalid character';

/** True for a text that a database cannot store unchanged: with a NUL or half a surrogate pair. */
const isNoText = (value: unknown): boolean => typeof value === 'string' && /[\0\p{Cs}]/u.test(value);

/** The fields, at any depth, whose name or value is not valid text. */
function fieldsWithoutText(value: unknown, path: string[] = []): string[] {
  if (isNoText(value)) return [path.join('.')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, entry]) =>
    isNoText(name) ? [path.join('.')] : fieldsWithoutText(entry, [...path, name.slice(0, 100)]),
  );
}

const known = new WeakMap<z.core.$ZodType, JsonSchema>();

function schemaOf(schema: z.core.$ZodType): JsonSchema {
  const found = known.get(schema) ?? jsonSchemaOf(schema, 'input');
  known.set(schema, found);
  return found;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a value, at any depth, that its schema does not know. */
function unknownFields(schema: JsonSchema, value: unknown, root: JsonSchema, path: string[] = []): string[] {
  if (schema.$ref !== undefined) {
    const target = root.$defs?.[schema.$ref.replace('#/$defs/', '')];
    return target ? unknownFields(target, value, root, path) : [];
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const fitting = choices.filter(({ type }) => !isObject(value) || type === undefined || type === 'object');
    const each = fitting.map((choice) => unknownFields(choice, value, root, path));
    return each.some((names) => names.length === 0) ? [] : (each[0] ?? []);
  }
  if (Array.isArray(value))
    return schema.items
      ? value.flatMap((entry) => unknownFields(schema.items as JsonSchema, entry, root, path))
      : [];
  if (!isObject(value) || schema.properties === undefined) return [];
  const { properties } = schema;
  return Object.entries(value).flatMap(([name, entry]) => {
    if (Object.hasOwn(properties, name))
      return unknownFields(properties[name] as JsonSchema, entry, root, [...path, name]);
    return schema.additionalProperties === false ? [[...path, name].join('.').slice(0, 100)] : [];
  });
}

function refuse(fields: FieldErrors, general: string): never {
  const [name, messages] = Object.entries(fields)[0] ?? [];
  const [first = general] = messages ?? [];
  const message = first === UNKNOWN || first === FIXED ? `${first}: ${name}` : first;
  throw new AppError('INVALID_INPUT', message, { fields });
}

/** True for a list, even if wrapped: then an empty value is an empty list, not a missing one. */
function isList(schema: z.core.$ZodType | undefined): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return isList(schema.def.innerType);
  if (schema instanceof z.ZodPipe) return isList(schema.def.out);
  return schema instanceof z.ZodArray;
}

/** The end field of a period that ends before it begins. */
function reversedEnds({ start, end }: Record<string, unknown>): string[] {
  if (typeof start !== 'string' || typeof end !== 'string') return [];
  return Date.parse(end) < Date.parse(start) ? ['end'] : [];
}

/** Earlier names of a period's days, which stay accepted (`docs/api-changes.md`). */
const EARLIER_NAMES: Readonly<Record<string, string>> = {
  from: 'start',
  to: 'end',
  startDate: 'start',
  endDate: 'end',
};

/** The name of a parameter today. With both names, the earlier one is unknown. */
function nameToday({ query }: Operation, search: URLSearchParams, name: string): string {
  const today = Object.hasOwn(EARLIER_NAMES, name) ? (EARLIER_NAMES[name] ?? name) : name;
  return Object.hasOwn(query.shape, today) && !search.has(today) ? today : name;
}

/** The messages by the names that were sent. */
function asSent(fields: FieldErrors, search: URLSearchParams): FieldErrors {
  const nameOf = (name: string) =>
    Object.keys(EARLIER_NAMES).find((sent) => EARLIER_NAMES[sent] === name && search.has(sent)) ?? name;
  const entries = Object.entries(fields);
  return Object.fromEntries(entries.map(([name, found]) => [search.has(name) ? name : nameOf(name), found]));
}

/** The query string by name. A repeated name is a list; an empty value counts as missing. */
function queryOf(operation: Operation, search: URLSearchParams): Record<string, unknown> {
  const names = [...new Set(search.keys())];
  const entries = names.map((name) => {
    const values = search.getAll(name).filter((value) => value !== '');
    if (values.length === 0 && isList(operation.query.shape[name])) return [name, ''] as const;
    return [nameToday(operation, search, name), values.length > 1 ? values : values[0]] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** @throws AppError NOT_FOUND if a part of the path is not valid */
export function checkParams(operation: Operation, params: Record<string, string | undefined>): unknown {
  const checked = operation.params.safeParse(params);
  if (!checked.success) throw new AppError('NOT_FOUND', 'There is nothing at this address.');
  return checked.data;
}

/** @throws AppError INVALID_INPUT */
export function checkQuery(operation: Operation, search: URLSearchParams): unknown {
  const query = queryOf(operation, search);
  const fields: FieldErrors = {};
  for (const name of Object.keys(query))
    if (!Object.hasOwn(operation.query.shape, name)) fields[name.slice(0, 100)] = [UNKNOWN];
  for (const name of fieldsWithoutText(query)) fields[name] = [NO_TEXT];
  const checked = operation.query.safeParse(query);
  if (!checked.success) Object.assign(fields, fieldErrors(checked.error.issues));
  else for (const name of reversedEnds(query)) fields[name] = [REVERSED];
  if (Object.keys(fields).length > 0) refuse(asSent(fields, search), 'The query is not valid.');
  return checked.data;
}

/** Equal as JSON, whatever the order of the fields. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((entry, index) => isSame(entry, other[index]));
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

/** Fields the server sets itself, which may have changed since the resource was read. */
const NOTED = new Set(['updatedAt', 'pricedAt', 'lastLogin', 'lastDoseDate', 'nextDoseDate']);

/**
 * A body without the unchanged fields, so that clients may send a whole resource back.
 * @param quantity a number and its unit, which stay together
 */
export function changesIn(
  sent: Record<string, unknown>,
  resource: Record<string, unknown>,
  quantity: readonly string[] = [],
): Record<string, unknown> {
  const isChange = ([name, value]: [string, unknown]) =>
    !Object.hasOwn(resource, name) || (!NOTED.has(name) && !isSame(value, resource[name]));
  const entries = Object.entries(sent);
  const changed = new Set(entries.filter(isChange).map(([name]) => name));
  if (quantity.some((name) => changed.has(name))) for (const name of quantity) changed.add(name);
  return Object.fromEntries(entries.filter(([name]) => changed.has(name)));
}

/**
 * @param resource what the body changes, in its current state; fields that the call does not accept cannot be changed
 * @throws AppError INVALID_INPUT
 */
export function checkBody(
  { body, checkValues }: Operation,
  sent: Record<string, unknown>,
  resource: Record<string, unknown> = {},
): unknown {
  const fields: FieldErrors = {};
  const schema: JsonSchema = body === null ? NO_BODY : schemaOf(body);
  for (const name of unknownFields(schema, sent, schema))
    fields[name] = [Object.hasOwn(resource, name) ? FIXED : UNKNOWN];
  for (const name of fieldsWithoutText(sent)) fields[name] = [NO_TEXT];
  if (body !== null && checkValues === null) {
    const checked = z.safeParse(body, sent);
    if (!checked.success) Object.assign(fields, fieldErrors(checked.error.issues));
  }
  if (Object.keys(fields).length > 0) refuse(fields, 'The body is not valid.');
  return sent;
}

const NO_BODY: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };
