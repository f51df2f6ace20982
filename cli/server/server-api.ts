import {
  AppError,
  conflict,
  CONFLICT_CODES,
  STATUS,
  type ConflictCode,
  type ErrorCode,
} from '#app/domain/errors.ts';
import type { CodedWarning, FieldErrors, RowError } from '#app/domain/errors.ts';
import type { ServerLogin } from './login-file.ts';

/** How long a server may take until its answer begins. */
const PATIENCE_MS = 60_000;

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A request to the API. */
export interface ApiRequest {
  query?: Query;
  /** Sent as JSON. */
  body?: object;
  form?: FormData;
  /** Sent as it is. */
  raw?: { bytes: Uint8Array<ArrayBuffer>; contentType: string };
}

/** System error codes in words. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name cannot be looked up now',
};

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `it did not answer within ${PATIENCE_MS / 1000} seconds`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  return WORDS[code] ?? (cause instanceof Error ? cause.message || code : String(cause));
}

/** The error for a server that cannot be reached. */
const unreachable = (url: string, cause: unknown): AppError =>
  new AppError('PROVIDER_UNAVAILABLE', `The server at ${url} cannot be reached: ${reasonOf(cause)}.`, {
    cause,
  });

/** The address of a call. It never leaves the server or its API. @throws AppError INVALID_INPUT */
function addressOf({ url }: Pick<ServerLogin, 'url'>, path: string, query: Query = {}): URL {
  const address = URL.canParse(path, url) ? new URL(path, url) : null;
  if (address?.origin !== url || !address.pathname.startsWith('/api/'))
    throw new AppError('INVALID_INPUT', 'The path must be one of the API: /api/…');
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) address.searchParams.set(name, String(value));
  return address;
}

/**
 * Sends a request to the API and returns the answer as it is, whatever its status.
 * @param login without a token, to sign in
 * @throws AppError PROVIDER_UNAVAILABLE when there is no answer, or one that leads elsewhere
 */
export async function send(
  login: { url: string; token?: string },
  method: string,
  path: string,
  { query, body, form, raw }: ApiRequest = {},
): Promise<Response> {
  const address = addressOf(login, path, query);
  const contentType = raw?.contentType ?? (body === undefined ? undefined : 'application/json');
  // Only the start of the answer is waited for so long: a file may take longer.
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(new DOMException('too slow', 'TimeoutError')), PATIENCE_MS);
  const response = await fetch(address, {
    method,
    // The token goes to this server only.
    redirect: 'manual',
    signal: patience.signal,
    headers: {
      Accept: 'application/json, */*;q=0.5',
      ...(login.token !== undefined && { Authorization: `Bearer ${login.token}` }),
      ...(contentType !== undefined && { 'Content-Type': contentType }),
    },
    body: form ?? raw?.bytes ?? (body === undefined ? null : JSON.stringify(body)),
  })
    .catch((error: unknown) => {
      throw unreachable(login.url, error);
    })
    .finally(() => clearTimeout(timer));
  if (response.status < 300 || response.status > 399 || response.status === 304) return response;
  await response.body?.cancel();
  const to = response.headers.get('Location') ?? '';
  const where = URL.canParse(to, address) ? ` to ${new URL(to, address).origin}` : '';
  const message = `The server at ${login.url} redirects${where}. Log in with the address that it uses itself.`;
  throw new AppError('PROVIDER_UNAVAILABLE', message);
}

interface Failure {
  error?: string;
  message?: string;
  fields?: FieldErrors;
  rows?: RowError[];
  warnings?: CodedWarning[];
}

const isConflictCode = (code: string): code is ConflictCode =>
  (CONFLICT_CODES as readonly string[]).includes(code);
const isCode = (code: string): code is Exclude<ErrorCode, 'CONFLICT'> =>
  Object.hasOwn(STATUS, code) && code !== 'CONFLICT';

/** The place of a bad row and what is wrong, as an import here names them. */
function fieldsOfRows(rows: readonly RowError[]): FieldErrors {
  const fields: FieldErrors = {};
  for (const { type, line, field, message } of rows)
    (fields[`${type === '' ? '' : `${type}, `}line ${line}`] ??= []).push(
      field === '' ? message : `${field}: ${message}`,
    );
  return fields;
}

/** The error of an answer, the same as the operation throws on the server. */
function errorOf({ url }: { url: string }, answer: Failure): AppError {
  const { error: code = '', message = '', fields, rows, warnings } = answer;
  if (code === 'UNAUTHENTICATED')
    return new AppError(
      code,
      `${url} does not accept the token: it was revoked or has expired. Log in again with "vialbook login ${url}".`,
    );
  if (isConflictCode(code)) return conflict(code, message);
  return new AppError(isCode(code) ? code : 'FAILED', message, {
    ...(rows === undefined ? fields && { fields } : { rows, fields: fieldsOfRows(rows) }),
    ...(warnings && { warnings }),
  });
}

interface Answer extends Failure {
  success?: boolean;
  data?: unknown;
}

async function jsonOf(url: string, response: Response): Promise<Answer> {
  const text = await response.text().catch((error: unknown) => {
    throw unreachable(url, error);
  });
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null && 'success' in json) return json as Answer;
  } catch {
    // Reported below, like JSON of another kind.
  }
  const message = `${url} answered with status ${response.status}, but not as Vialbook does. Check the address.`;
  throw new AppError('PROVIDER_UNAVAILABLE', message);
}

/**
 * Makes a call.
 * @returns the data of the answer
 * @throws AppError the error of the operation; UNAUTHENTICATED for a token that no longer works, PROVIDER_UNAVAILABLE
 */
export async function call<T>(
  login: { url: string; token?: string },
  method: string,
  path: string,
  request?: ApiRequest,
): Promise<T> {
  const response = await send(login, method, path, request);
  const answer = await jsonOf(login.url, response);
  if (response.ok && answer.success === true) return answer.data as T;
  throw errorOf(login, answer);
}

/** A file from the server. @throws AppError as {@link call} */
export async function download(login: ServerLogin, path: string, query: Query): Promise<Response> {
  const response = await send(login, 'GET', path, { query });
  if (response.ok) return response;
  throw errorOf(login, await jsonOf(login.url, response));
}

/** The parts of a path, each as it stands in an address; the first may be the beginning of one, `/api/…`. */
export const pathOf = (texts: TemplateStringsArray, ...values: readonly string[]): string =>
  texts.reduce((path, text, at) => {
    const value = values[at - 1] ?? '';
    return `${path}${path === '' && value.startsWith('/api/') ? value : encodeURIComponent(value)}${text}`;
  });

/** How many records a page has. */
const PAGE_SIZE = 100;

/** The pages of a list, one after the other. */
export async function* pages<T>(
  login: ServerLogin,
  path: string,
  name: string,
  query: Query = {},
): AsyncGenerator<T[]> {
  let seen = 0;
  for (let page = 1; ; page += 1) {
    const answer = await call<Record<string, unknown>>(login, 'GET', path, {
      query: { ...query, page, limit: PAGE_SIZE },
    });
    const records = answer[name] as T[];
    seen += records.length;
    yield records;
    if (seen >= Number(answer['total']) || records.length === 0) return;
  }
}

/** Every record of a list. */
export async function allPages<T>(...list: Parameters<typeof pages>): Promise<T[]> {
  const found: T[] = [];
  for await (const page of pages<T>(...list)) found.push(...page);
  return found;
}
