import type { SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { data, unstable_parseMultipartFormData, type UploadHandler, redirect } from '@remix-run/node';
import * as z from 'zod';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { AppError, isAppError, type ErrorCode, type FieldErrors, STATUS } from '#app/domain/errors.ts';
import { MAX_FIELD_LENGTH } from '#app/domain/forms/fields.ts';
import { cookie, currentApp, readDeviceCookie } from './session.server.ts';
import { decryptSecret, encryptSecret } from '#app/platform/secrets/encrypted-secret.server.ts';

const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** Whether a request's content type is a form's. */
export const isForm = (request: Request): boolean =>
  FORM_TYPES.test(request.headers.get('content-type') ?? '');

/** @throws AppError UNSUPPORTED_MEDIA_TYPE if the body is not a form */
function requireFormType(request: Request): void {
  if (isForm(request)) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'This address accepts only forms.');
}

/** The error for a form that cannot be parsed. */
function unreadableForm(cause: unknown): AppError {
  return new AppError('INVALID_INPUT', 'The form could not be read. Please send it again.', { cause });
}

/**
 * The same form with no text longer than a field can be: a longer one is cut right after its last allowed character, so that its
 * field refuses it, and no pattern sees more. A pasted file has a field called `text`.
 */
function withShortTexts(form: FormData): FormData {
  const isLong = ([name, value]: [string, FormDataEntryValue]) =>
    typeof value === 'string' && value.length > MAX_FIELD_LENGTH && name !== 'text';
  if (![...form].some(isLong)) return form;
  const short = new FormData();
  for (const [name, value] of form) {
    if (typeof value !== 'string') short.append(name, value);
    else short.append(name, name === 'text' ? value : value.slice(0, MAX_FIELD_LENGTH + 1));
  }
  return short;
}

/**
 * The body of a page's form.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for another content type, INVALID_INPUT for a body that cannot be read
 */
export async function readForm(request: Request): Promise<FormData> {
  requireFormType(request);
  try {
    return withShortTexts(await request.formData());
  } catch (error) {
    throw unreadableForm(error);
  }
}

/** The text of a field; empty if it is absent, repeated or a file. */
export function formText(form: FormData, name: string): string {
  const [value, ...more] = form.getAll(name);
  return typeof value === 'string' && more.length === 0 ? value : '';
}

/** Errors that users can correct in the form; every other error is shown on its own page. */
const CORRECTABLE: readonly ErrorCode[] = [
  'INVALID_INPUT',
  'INVALID_CREDENTIALS',
  'REGISTRATION_FAILED',
  'CONFLICT',
  'PLAN_LIMIT',
  'EMAIL_NOT_CONFIRMED',
  'NOT_IN_DEMO',
  'DOSE_ALREADY_LOGGED',
  'CONFIRM_DOSE',
  'RATE_LIMITED',
  'SWITCHED_OFF',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
  'UNREADABLE_FILE',
];

/** Why a form was rejected: messages for its fields, or one for the whole form. */
export interface Refusal {
  fields: FieldErrors | undefined;
  message: string;
  status: number;
  headers: Headers;
}

/**
 * Turns an error that the user can correct into messages for the form.
 * @param also further codes that this form shows itself
 * @throws the error itself if the form cannot show it
 */
export function refusalOf(error: unknown, also: readonly ErrorCode[] = []): Refusal {
  if (!isAppError(error) || !(CORRECTABLE.includes(error.code) || also.includes(error.code))) throw error;
  const { fields, message, code, retryAfterSeconds } = error;
  const headers = new Headers();
  if (retryAfterSeconds !== undefined) headers.set('Retry-After', String(Math.ceil(retryAfterSeconds)));
  return { fields, message, status: STATUS[code], headers };
}

/** Never sent back to the browser. */
const SECRET_FIELDS = ['password', 'currentPassword', 'newPassword', 'confirmPassword', 'code', 'passkey'];

/**
 * Only the schema's own fields reach the parser. A repeated field, or a file, counts as empty; fields in `lists` may repeat.
 */
function knownFields(form: FormData, schema: z.ZodObject, lists: readonly string[]): FormData {
  const known = new FormData();
  for (const name of Object.keys(schema.shape)) {
    const texts = form.getAll(name).filter((value) => typeof value === 'string');
    if (texts.length === 1 || lists.includes(name)) for (const text of texts) known.append(name, text);
  }
  return known;
}

/** The result (and the form as sent, for a page that asks a question), or the form with its errors. */
export type Submitted<T> =
  | { ok: true; value: T; lastResult: SubmissionResult<string[]> }
  | {
      ok: false;
      lastResult: SubmissionResult<string[]>;
      refusal: Pick<Refusal, 'status' | 'headers'>;
    };

/**
 * Checks a form against an operation's schema and runs the operation. Errors that the user can correct are returned; all
 * others are thrown. Secrets are never returned.
 * @param lists fields that may be sent more than once
 * @param also further error codes that this form shows itself
 */
export async function runForm<S extends z.ZodObject, T>(
  form: FormData,
  schema: S,
  run: (input: z.output<S>) => Promise<T>,
  { lists = [], also = [] }: { lists?: readonly string[]; also?: readonly ErrorCode[] } = {},
): Promise<Submitted<T>> {
  const submission = parseWithZod(knownFields(form, schema, lists), { schema });
  const hideFields = SECRET_FIELDS;
  if (submission.status !== 'success') {
    const refusal = { status: 400, headers: new Headers() };
    return { ok: false, lastResult: submission.reply({ hideFields }), refusal };
  }
  try {
    return { ok: true, value: await run(submission.value), lastResult: submission.reply({ hideFields }) };
  } catch (error) {
    const { fields, message, status, headers } = refusalOf(error, also);
    const reply = fields ? { fieldErrors: fields } : { formErrors: [message] };
    return {
      ok: false,
      lastResult: submission.reply({ ...reply, hideFields }),
      refusal: { status, headers },
    };
  }
}

/**
 * Reads a form and runs an operation with it; see {@link runForm}.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, and errors of `run` that the form cannot show
 */
export async function submitForm<S extends z.ZodObject, T>(
  request: Request,
  schema: S,
  run: (input: z.output<S>) => Promise<T>,
  lists: readonly string[] = [],
): Promise<Submitted<T>> {
  return runForm(await readForm(request), schema, run, { lists });
}

/** The response to a rejected form. */
export function formAgain({ lastResult, refusal }: Extract<Submitted<unknown>, { ok: false }>) {
  return data({ lastResult }, refusal);
}

/** The form as it was sent, to be finished by its sender: nothing was checked or done. Not for forms with secrets. */
export function formToFinish(form: FormData) {
  const lastResult: SubmissionResult<string[]> = { initialValue: textsOf(form) };
  return data({ lastResult });
}

/** A rejected form without a fixed schema: its errors and its values. */
export interface RefusedForm {
  errors: FieldErrors;
  /** Messages for the whole form. */
  formErrors: string[];
  /** Every submitted text, by name. */
  values: Record<string, string>;
}

const MAX_SHOWN = 4000;
/** Large enough for a whole catalogue, so that it can be corrected. */
const MAX_SHOWN_TEXT = 1024 * 1024;

function textsOf(form: FormData): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value !== 'string' || name in values) continue;
    values[name] = value.slice(0, name === 'text' ? MAX_SHOWN_TEXT : MAX_SHOWN);
  }
  return values;
}

/**
 * Reads a form whose fields depend on stored data, and runs an operation with it. Errors that the user can correct are
 * returned with the form's values; all others are thrown.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, and errors of `run` that the form cannot show
 */
export async function tryForm<T>(request: Request, run: (form: FormData) => Promise<T>) {
  const form = await readForm(request);
  try {
    return { ok: true as const, value: await run(form) };
  } catch (error) {
    const { fields, message, status, headers } = refusalOf(error);
    const refused: RefusedForm = {
      errors: fields ?? {},
      formErrors: fields ? [] : [message],
      values: textsOf(form),
    };
    return { ok: false as const, answer: data(refused, { status, headers }) };
  }
}

const flashSchema = z.array(
  z.object({
    id: z.string().max(40),
    type: z.enum(['success', 'error', 'warning', 'info']),
    message: z.string().max(300),
  }),
);

/** A short message for the next page, shown as a toast. */
export type Flash = z.infer<typeof flashSchema>[number];

function flashCookie() {
  return cookie('vialbook_flash', { maxAge: 60, secrets: [currentApp().sessionSecret] });
}

/** The `Set-Cookie` value that carries messages to the next page. */
export function flash(type: Flash['type'], message: string): Promise<string> {
  const toast: Flash = { id: crypto.randomUUID().slice(0, 8), type, message };
  return flashCookie().serialize([toast]);
}

/** The messages for this page, and the header that removes them. */
export async function takeFlash(request: Request): Promise<{ toasts: Flash[]; headers: Headers }> {
  const headers = new Headers();
  const cookie = flashCookie();
  const header = request.headers.get('Cookie');
  if (!header?.includes(`${cookie.name}=`)) return { toasts: [], headers };
  headers.append('Set-Cookie', await cookie.serialize('', { maxAge: 0 }));
  const parsed = flashSchema.safeParse(await cookie.parse(header).catch(() => null));
  return { toasts: parsed.success ? parsed.data : [], headers };
}

/** Redirects after a POST to a page that shows a message. `cookies` are set as well. */
export async function done(path: string, message: string, cookies: readonly string[] = []) {
  const headers = new Headers();
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  headers.append('Set-Cookie', await flash('success', message));
  return redirect(path, { headers });
}

/** An uploaded file; empty if none was sent. */
export interface SentFile {
  fileName: string;
  bytes: Uint8Array;
}

/**
 * Reads a form with one file and stores the file.
 * @returns what is wrong with the file, or null if it was stored
 * @throws AppError for a request that is not a form, and errors that the form cannot show
 */
export async function submitFile(
  request: Request,
  field: string,
  keep: (file: SentFile) => Promise<unknown>,
) {
  const [file, ...more] = (await readForm(request)).getAll(field);
  const sent = file instanceof File && more.length === 0 ? file : new File([], '');
  try {
    await keep({ fileName: sent.name, bytes: new Uint8Array(await sent.arrayBuffer()) });
    return null;
  } catch (error) {
    const { message, status, headers } = refusalOf(error);
    return data({ error: message }, { status, headers });
  }
}

/** A form's file while it is being received. */
export interface ArrivingFile {
  bytes: AsyncIterable<Uint8Array>;
  /** The browser's name for it; null without one. */
  fileName: string | null;
}

async function readAway(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _piece of bytes);
}

/**
 * Passes a form's file on while it is being received, without storing it. A rejected file is still read to its end, because
 * a browser shows no response while it is sending. Other fields and further files are ignored.
 * @param take is called at most once
 * @returns the result of `take`; null if the form has no such file
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, INVALID_INPUT if it is not a form, and errors of `take`
 */
export async function takeUpload<T>(
  request: Request,
  field: string,
  take: (file: ArrivingFile) => Promise<T>,
): Promise<T | null> {
  requireFormType(request);
  let outcome: { value: T } | { error: unknown } | null = null;
  const handle: UploadHandler = async ({ name, filename, data }) => {
    if (name === field && filename !== undefined && outcome === null) {
      outcome = await take({ bytes: data, fileName: filename === '' ? null : filename }).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
    }
    await readAway(data);
    return undefined;
  };
  try {
    await unstable_parseMultipartFormData(request, handle);
  } catch (error) {
    throw isAppError(error) ? error : unreadableForm(error);
  }
  const settled = outcome as { value: T } | { error: unknown } | null;
  if (settled === null) return null;
  if ('error' in settled) throw settled.error;
  return settled.value;
}

const keptSchema = z.object({
  address: z.string(),
  fields: z.array(z.tuple([z.string(), z.string()])),
  lost: z.enum(['nothing', 'file', 'length']),
  deviceToken: z.string().nullable(),
});

/** A form submitted after its session had ended. */
export interface KeptForm {
  /** Path and query it was sent to. */
  address: string;
  /** What was typed, in order; never a password or a file. */
  fields: [name: string, value: string][];
  /** What could not be kept: nothing, a file, or everything because it is too long for a cookie. */
  lost: 'nothing' | 'file' | 'length';
  /** The device token of the last user who signed in here; nobody else may read the form. */
  deviceToken: string | null;
}

/** Seconds in which the user can sign in again. */
const HALF_AN_HOUR = 1800;

/** The most bytes read of the body for a visitor. */
const MAX_BODY = 64 * 1024;

/** Length of a cookie that every browser stores, without name and attributes (RFC 6265, 6.1). */
const MAX_COOKIE = 3800;

const USE = { purpose: 'kept form', ownerId: '' };

const keptFormCookie = (maxAge: number) => cookie('vialbook_form', { maxAge });

/** The fields of a body, and whether a file was among them; null if it is too long or not a form. */
async function fieldsOf(request: Request): Promise<Pick<KeptForm, 'fields' | 'lost'> | null> {
  const isUpload = /^multipart\/form-data\b/i.test(request.headers.get('Content-Type') ?? '');
  const length = Number(request.headers.get('Content-Length') ?? Infinity);
  if (length > MAX_BODY) return isUpload ? { fields: [], lost: 'file' } : null;
  const fields: KeptForm['fields'] = [];
  let lost: KeptForm['lost'] = 'nothing';
  const form = await request.formData().catch(() => new FormData());
  for (const [name, value] of form) {
    if (SECRET_FIELDS.includes(name)) continue;
    if (typeof value === 'string') fields.push([name, value]);
    else if (value.size > 0) lost = 'file';
  }
  return { fields, lost };
}

function seal(kept: KeptForm): string {
  // Medium effort, since strangers can trigger this. Base64, because only text is encrypted.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  const packed = brotliCompressSync(JSON.stringify(kept), { params }).toString('base64');
  return encryptSecret(currentApp().sessionSecret, USE, packed);
}

/**
 * The `Set-Cookie` value that stores a form in the browser, encrypted, until the user has signed in again. The server stores
 * nothing, so that strangers cannot fill it.
 */
export async function keepForm(request: Request, address: string): Promise<string> {
  const deviceToken = await readDeviceCookie(request);
  const read = (await fieldsOf(request)) ?? { fields: [], lost: 'length' as const };
  const sealed = seal({ address, ...read, deviceToken });
  const short =
    sealed.length <= MAX_COOKIE ? sealed : seal({ address, fields: [], lost: 'length', deviceToken });
  return keptFormCookie(HALF_AN_HOUR).serialize(short);
}

/** The form that this browser stores for an address, or null. */
export async function readKeptForm(request: Request): Promise<KeptForm | null> {
  const sealed: unknown = await keptFormCookie(HALF_AN_HOUR)
    .parse(request.headers.get('Cookie'))
    .catch(() => null);
  if (typeof sealed !== 'string') return null;
  const packed = decryptSecret(currentApp().sessionSecret, USE, sealed);
  if (packed === null) return null;
  const text = brotliDecompressSync(Buffer.from(packed, 'base64')).toString('utf8');
  return keptSchema.parse(JSON.parse(text)) as KeptForm;
}

/** The `Set-Cookie` values that remove a form this browser stores. */
export async function forgetForm(request: Request): Promise<string[]> {
  const kept = keptFormCookie(0);
  const isThere = request.headers.get('Cookie')?.includes(`${kept.name}=`) ?? false;
  return isThere ? [await kept.serialize('', { maxAge: 0 })] : [];
}
