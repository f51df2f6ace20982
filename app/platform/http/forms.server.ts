import type { SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { data, unstable_parseMultipartFormData, type UploadHandler, redirect } from '@remix-run/node';
import * as z from 'zod';
import {
  AppError,
  isAppError,
  type ErrorCode,
  type FieldErrors,
  retryHeaders,
  STATUS,
} from '#app/domain/errors.ts';
import { MAX_FIELD_LENGTH } from '#app/domain/forms/fields.ts';
import { cookie, currentApp } from './session.server.ts';

const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** Whether a request's content type is a form's. */
export const isForm = (request: Request): boolean =>
  FORM_TYPES.test(request.headers.get('content-type') ?? '');

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

/** A form's file while it is being received. */
export interface ArrivingFile {
  bytes: AsyncIterable<Uint8Array>;
  /** The browser's name for it; null without one. */
  fileName: string | null;
}

/**
 * Passes the file of a field on while it is being received, so that it is never stored; the text that `take` returns becomes
 * the field's value. Other fields and further files are ignored.
 */
interface Upload {
  field: string;
  take: (file: ArrivingFile) => Promise<string>;
}

async function readAway(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _piece of bytes);
}

/**
 * Reads a form. A rejected file is still read to its end, because a browser shows no response while it is sending.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for another content type, INVALID_INPUT for a body that cannot be read
 */
async function readForm(
  request: Request,
  upload?: Upload,
): Promise<{ form: FormData; uploadError?: unknown }> {
  if (!isForm(request)) throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'This address accepts only forms.');
  let isTaken = false;
  let uploadError: unknown;
  const handle: UploadHandler = async ({ name, filename, data: bytes }) => {
    let text: string | undefined;
    if (name === upload?.field && filename !== undefined && !isTaken) {
      isTaken = true;
      text = await upload.take({ bytes, fileName: filename || null }).catch((error: unknown) => {
        uploadError = error;
        return undefined;
      });
    }
    await readAway(bytes);
    return text;
  };
  const isMultipart = /^multipart\//i.test(request.headers.get('content-type') ?? '');
  try {
    return upload && isMultipart
      ? { form: await unstable_parseMultipartFormData(request, handle), uploadError }
      : { form: withShortTexts(await request.formData()) };
  } catch (cause) {
    throw new AppError('INVALID_INPUT', 'The form could not be read. Please send it again.', { cause });
  }
}

/** Errors that a person can correct in a form. Every other error is shown on its own page. */
const SHOWN_IN_FORM: readonly ErrorCode[] = [
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
  'FAILED',
];

/** Never sent back to the browser. */
export const SECRET_FIELDS = [
  'password',
  'currentPassword',
  'newPassword',
  'confirmPassword',
  'code',
  'passkey',
];

/** The schemas inside a schema: every option of a union, what a transform reads, what may be absent. */
function partsOf(schema: unknown): unknown[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(partsOf);
  if (schema instanceof z.ZodPipe)
    return partsOf(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  const isWrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodCatch;
  return isWrapped ? partsOf(schema.unwrap()) : [schema];
}

/** The schemas of a control by its name, such as `ramp.start`; empty for a name that the schema does not know. */
function fieldsAt(schema: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return partsOf(schema);
  return partsOf(schema).flatMap((part) => {
    if (part instanceof z.ZodRecord) return fieldsAt(part.valueType, rest);
    if (!(part instanceof z.ZodObject) || !Object.hasOwn(part.shape, name)) return [];
    return fieldsAt(part.shape[name], rest);
  });
}

/**
 * Only the schema's own fields reach the parser. A field that is sent twice counts as empty unless its schema is a list, and a
 * file unless its schema is one.
 */
function knownFields(form: FormData, schema: z.ZodType): FormData {
  const known = new FormData();
  for (const name of new Set(form.keys())) {
    const fields = fieldsAt(schema, name.split('.'));
    if (fields.length === 0) continue;
    const isFile = fields.some((field) => field instanceof z.ZodFile);
    const values = form.getAll(name).filter((value) => value instanceof File === isFile);
    const isList = fields.some((field) => field instanceof z.ZodArray);
    if (values.length === 1 || isList) for (const value of values) known.append(name, value);
  }
  return known;
}

/** The answer to a form, as Conform's `useForm` takes it. */
export type LastResult = SubmissionResult<string[]>;

/** Conform's `submission.reply` without secrets: the form as it was sent, with these messages. */
export type Reply = (messages?: { formErrors?: string[]; fieldErrors?: FieldErrors }) => LastResult;

/**
 * What a form shows of an error: messages by control name, those under '' about the whole form.
 * @param also further errors that this form shows itself
 * @throws the error itself if no form shows it
 */
export function shownInForm(error: unknown, also: readonly ErrorCode[] = []) {
  if (!isAppError(error) || ![...SHOWN_IN_FORM, ...also].includes(error.code)) throw error;
  const messages: FieldErrors = error.fields ?? { '': [error.message] };
  return { messages, init: { status: STATUS[error.code], headers: retryHeaders(error) } };
}

const formAgain = (lastResult: LastResult, init: ResponseInit) => data({ lastResult }, init);

/** Answers a refused form that has no place for messages: its errors are shown on their own page. */
export function toErrorPage(lastResult: LastResult, _init: ResponseInit, error?: AppError): never {
  const [message = 'The form is not valid.'] = Object.values(lastResult.error ?? {}).flatMap(
    (messages) => messages ?? [],
  );
  throw error ?? new AppError('INVALID_INPUT', message);
}

interface SubmitOptions<R> {
  /** Further errors that this form shows itself. */
  also?: readonly ErrorCode[];
  /** Answers a refused form; by default with what was sent and its messages, as `lastResult`. */
  refused?: (lastResult: LastResult, init: ResponseInit, error?: AppError) => R | Promise<R>;
  /** For a button that only changes what was typed: changes it and returns true, and the form is shown again unchecked. */
  edit?: (form: FormData) => boolean | Promise<boolean>;
  /** Takes the file of a field while it arrives. */
  upload?: Upload;
}

/**
 * The one way a page's form is answered. As in Conform's guide, `parseWithZod` checks it against the schema and a refused form
 * is shown again with its values and messages, never with a secret. `run` does what was asked for and returns the answer, which
 * is usually {@link done}. Several buttons are a union of schemas that is discriminated by `intent`.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, INVALID_INPUT for a body that is not a form; errors of `run` that no form shows
 */
export function submit<S extends z.ZodType, T>(
  request: Request,
  schema: S,
  run: (input: z.output<S>, reply: Reply) => Promise<T>,
  options?: Omit<SubmitOptions<never>, 'refused'> & { refused?: undefined },
): Promise<T | ReturnType<typeof formAgain>>;
export function submit<S extends z.ZodType, T, R>(
  request: Request,
  schema: S,
  run: (input: z.output<S>, reply: Reply) => Promise<T>,
  options: SubmitOptions<R>,
): Promise<T | R>;
export async function submit<S extends z.ZodType>(
  request: Request,
  schema: S,
  run: (input: z.output<S>, reply: Reply) => Promise<unknown>,
  { also = [], refused = formAgain, edit, upload }: SubmitOptions<unknown> = {},
): Promise<unknown> {
  const { form, uploadError } = await readForm(request, upload);
  const isEdited = (await edit?.(form)) ?? false;
  const submission = parseWithZod(knownFields(form, schema), { schema });
  const reply: Reply = (messages) => submission.reply({ ...messages, hideFields: SECRET_FIELDS });
  if (isEdited) return refused({ initialValue: reply().initialValue ?? null }, {});
  try {
    if (uploadError !== undefined) throw uploadError;
    if (submission.status === 'success') return await run(submission.value, reply);
  } catch (error) {
    const { messages, init } = shownInForm(error, also);
    return refused(reply({ fieldErrors: messages }), init, error as AppError);
  }
  return refused(reply(), { status: 400 });
}

/** A file that was sent, as operations take it; empty without one. */
export async function sentFile(file = new File([], '')): Promise<{ fileName: string; bytes: Uint8Array }> {
  return { fileName: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/** The name of a dose is free text, and a cookie has room for 4096 bytes. */
const MAX_FLASH_LENGTH = 300;

const flashSchema = z.array(
  z.object({
    id: z.string().max(40),
    type: z.enum(['success', 'error', 'warning', 'info']),
    title: z.string().max(100).optional(),
    message: z.string().max(MAX_FLASH_LENGTH),
    actions: z
      .array(
        z.object({
          label: z.string().max(100),
          to: z.string().max(200),
          fields: z.record(z.string(), z.string()).optional(),
        }),
      )
      .max(3)
      .optional(),
  }),
);

/** A short message for the next page, shown as a toast. */
export type Flash = z.infer<typeof flashSchema>[number];

/** The text of a message alone, or with a title and what can be done about it. */
export type FlashContent = string | Pick<Flash, 'title' | 'message' | 'actions'>;

function flashCookie() {
  return cookie('vialbook_flash', { maxAge: 60, secrets: [currentApp().sessionSecret] });
}

/** The `Set-Cookie` value that carries messages to the next page. */
export function flash(type: Flash['type'], content: FlashContent): Promise<string> {
  const { message, ...more } = typeof content === 'string' ? { message: content } : content;
  const short = message.length > MAX_FLASH_LENGTH ? `${message.slice(0, MAX_FLASH_LENGTH - 1)}…` : message;
  const toast: Flash = { id: crypto.randomUUID().slice(0, 8), type, ...more, message: short };
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
export async function done(path: string, content: FlashContent, cookies: readonly string[] = []) {
  const headers = new Headers();
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  headers.append('Set-Cookie', await flash('success', content));
  return redirect(path, { headers });
}
