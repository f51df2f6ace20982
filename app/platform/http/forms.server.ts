import type { SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { data, unstable_parseMultipartFormData, type UploadHandler, redirect } from '@remix-run/node';
import * as z from 'zod';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { AppError, isAppError, type ErrorCode, type FieldErrors, STATUS } from '#app/domain/errors.ts';
import { cookie, currentApp, readDeviceCookie } from './session.server.ts';
import { decryptSecret, encryptSecret } from '#app/platform/secrets/encrypted-secret.server.ts';

const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** Whether the body of a request says that it is a form's. */
export const isForm = (request: Request): boolean =>
  FORM_TYPES.test(request.headers.get('content-type') ?? '');

/** @throws AppError UNSUPPORTED_MEDIA_TYPE for a request whose body is not a form */
function requireFormType(request: Request): void {
  if (isForm(request)) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'This address takes a form.');
}

/** The answer to a form whose body cannot be parsed. */
function unreadableForm(cause: unknown): AppError {
  return new AppError('INVALID_INPUT', 'The form could not be read. Please send it again.', { cause });
}

/**
 * The body of a page's form.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for another content type, INVALID_INPUT for a body that cannot be read
 */
export async function readForm(request: Request): Promise<FormData> {
  requireFormType(request);
  try {
    return await request.formData();
  } catch (error) {
    throw unreadableForm(error);
  }
}

/** The one text of a field; empty when it is absent, repeated or a file. */
export function formText(form: FormData, name: string): string {
  const [value, ...more] = form.getAll(name);
  return typeof value === 'string' && more.length === 0 ? value : '';
}

/** Errors that a person can correct in the form; every other error gets a page of its own. */
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
];

/** Why a form was refused: messages for its fields, or one about the form as a whole. */
export interface Refusal {
  fields: FieldErrors | undefined;
  message: string;
  status: number;
  headers: Headers;
}

/**
 * What a form answers to an error that the person can correct.
 * @param also further codes that this form shows itself
 * @throws the error itself when it is none of those
 */
export function refusalOf(error: unknown, also: readonly ErrorCode[] = []): Refusal {
  if (!isAppError(error) || !(CORRECTABLE.includes(error.code) || also.includes(error.code))) throw error;
  const { fields, message, code, retryAfterSeconds } = error;
  const headers = new Headers();
  if (retryAfterSeconds !== undefined) headers.set('Retry-After', String(Math.ceil(retryAfterSeconds)));
  return { fields, message, status: STATUS[code], headers };
}

/** Never sent back to a browser. */
const SECRET_FIELDS = ['password', 'currentPassword', 'newPassword', 'confirmPassword', 'code', 'passkey'];

/**
 * Only the schema's own fields reach the parser. One that is sent twice, or as a file, counts as not filled in; those
 * in `lists` may repeat.
 */
function knownFields(form: FormData, schema: z.ZodObject, lists: readonly string[]): FormData {
  const known = new FormData();
  for (const name of Object.keys(schema.shape)) {
    const texts = form.getAll(name).filter((value) => typeof value === 'string');
    if (texts.length === 1 || lists.includes(name)) for (const text of texts) known.append(name, text);
  }
  return known;
}

/** What was done (and the form as it was sent, for a page that has a question), or the form again with what is wrong. */
export type Submitted<T> =
  | { ok: true; value: T; lastResult: SubmissionResult<string[]> }
  | {
      ok: false;
      lastResult: SubmissionResult<string[]>;
      refusal: Pick<Refusal, 'status' | 'headers'>;
    };

/**
 * Checks a form that was read against an operation's schema and runs the operation. What the person can correct is a
 * value; anything else is thrown. Secrets never come back.
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
 * @throws AppError UNSUPPORTED_MEDIA_TYPE and whatever `run` throws that does not belong in the form
 */
export async function submitForm<S extends z.ZodObject, T>(
  request: Request,
  schema: S,
  run: (input: z.output<S>) => Promise<T>,
  lists: readonly string[] = [],
): Promise<Submitted<T>> {
  return runForm(await readForm(request), schema, run, { lists });
}

/** The answer to a form that was refused. */
export function formAgain({ lastResult, refusal }: Extract<Submitted<unknown>, { ok: false }>) {
  return data({ lastResult }, refusal);
}

/** A form without a fixed schema that was refused: what is wrong, and what was typed. */
export interface RefusedForm {
  errors: FieldErrors;
  /** About the form as a whole. */
  formErrors: string[];
  /** Every text that was sent, by name. */
  values: Record<string, string>;
}

const MAX_SHOWN = 4000;
/** A whole catalogue goes back as well, so that it can be corrected. */
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
 * Reads a form whose fields depend on what is stored, and runs an operation with it. What the person can correct comes
 * back as an answer with the form's texts; anything else is thrown.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE and whatever `run` throws that does not belong in the form
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
type Flash = z.infer<typeof flashSchema>[number];

function flashCookie() {
  return cookie('vialbook_flash', { maxAge: 60, secrets: [currentApp().sessionSecret] });
}

/** The `Set-Cookie` value that carries messages to the next page. */
export function flash(type: Flash['type'], message: string): Promise<string> {
  const toast: Flash = { id: crypto.randomUUID().slice(0, 8), type, message };
  return flashCookie().serialize([toast]);
}

/** The messages left for this page, and the header that takes them away. */
export async function takeFlash(request: Request): Promise<{ toasts: Flash[]; headers: Headers }> {
  const headers = new Headers();
  const cookie = flashCookie();
  const header = request.headers.get('Cookie');
  if (!header?.includes(`${cookie.name}=`)) return { toasts: [], headers };
  headers.append('Set-Cookie', await cookie.serialize('', { maxAge: 0 }));
  const parsed = flashSchema.safeParse(await cookie.parse(header).catch(() => null));
  return { toasts: parsed.success ? parsed.data : [], headers };
}

/** Post, redirect, get: on to a page that says what was done. `cookies` go along. */
export async function done(path: string, message: string, cookies: readonly string[] = []) {
  const headers = new Headers();
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  headers.append('Set-Cookie', await flash('success', message));
  return redirect(path, { headers });
}

/** A file as it was sent; empty when none was. */
export interface SentFile {
  fileName: string;
  bytes: Uint8Array;
}

/**
 * Reads a form with one file and keeps it.
 * @returns what was wrong with the file, or null when it is kept
 * @throws AppError for a request that is no form, and whatever does not belong in it
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

/** A file of a form while it arrives. */
export interface ArrivingFile {
  bytes: AsyncIterable<Uint8Array>;
  /** As the browser names it; null when it does not. */
  fileName: string | null;
}

async function readAway(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _piece of bytes);
}

/**
 * Hands the file of a form on while it still arrives: nothing of it is kept here. What is refused is read to its end all
 * the same, since a browser that is still sending shows no answer. Other fields and further files are passed over.
 * @param take is called at most once
 * @returns what `take` gave; null when the form has no such file
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, INVALID_INPUT for what is no form, and what `take` throws
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

/** A form that was sent after its session had ended. */
export interface KeptForm {
  /** Path and query that it was sent to. */
  address: string;
  /** What was typed, in its order; never a password or a file. */
  fields: [name: string, value: string][];
  /** What could not be kept: nothing, a file, or all of it because it is too long for a cookie. */
  lost: 'nothing' | 'file' | 'length';
  /** The device token of whoever signed in here last: nobody else may read it. */
  deviceToken: string | null;
}

/** Seconds that somebody has to sign in again. */
const HALF_AN_HOUR = 1800;

/** Bytes of a body that are read for somebody who is not signed in. */
const MAX_BODY = 64 * 1024;

/** Characters of a cookie that every browser keeps, without its name and attributes (RFC 6265, 6.1). */
const MAX_COOKIE = 3800;

const USE = { purpose: 'kept form', ownerId: '' };

const keptFormCookie = (maxAge: number) => cookie('vialbook_form', { maxAge });

/** The fields of a body, and whether a file was among them; null when it is too long, or no form. */
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
  // A middling effort, since strangers can ask for this. Base64, because what is encrypted is text.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  const packed = brotliCompressSync(JSON.stringify(kept), { params }).toString('base64');
  return encryptSecret(currentApp().sessionSecret, USE, packed);
}

/**
 * The `Set-Cookie` value that keeps a form in its browser, encrypted, until its person has signed in again. The server
 * keeps nothing, so that strangers cannot fill it.
 */
export async function keepForm(request: Request, address: string): Promise<string> {
  const deviceToken = await readDeviceCookie(request);
  const read = (await fieldsOf(request)) ?? { fields: [], lost: 'length' as const };
  const sealed = seal({ address, ...read, deviceToken });
  const short =
    sealed.length <= MAX_COOKIE ? sealed : seal({ address, fields: [], lost: 'length', deviceToken });
  return keptFormCookie(HALF_AN_HOUR).serialize(short);
}

/** The form that this browser keeps for an address; null when there is none. */
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

/** The `Set-Cookie` values that drop a form, if this browser keeps one. */
export async function forgetForm(request: Request): Promise<string[]> {
  const kept = keptFormCookie(0);
  const isThere = request.headers.get('Cookie')?.includes(`${kept.name}=`) ?? false;
  return isThere ? [await kept.serialize('', { maxAge: 0 })] : [];
}
