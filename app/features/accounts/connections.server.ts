import * as z from 'zod';
import {
  API_TOKEN_MESSAGES,
  type ApiTokenScope,
  isExpired,
  MAX_API_TOKENS,
} from '#app/domain/accounts/api-token.ts';
import {
  ACCESS_PREFIX,
  CODE_MS,
  CONNECTION_MESSAGES,
  connectionClientSchema,
  connectionRequestSchema,
  consentSchema,
  resourceOf,
  scopeOf,
} from '#app/domain/accounts/connection.ts';
import { AppError, conflict } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import type { ApiTokenRecord } from '#models/index.server.ts';
import { authoriseRecent } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { decryptSecret, encryptSecret } from '#app/platform/secrets/encrypted-secret.server.ts';
import { createOneTimeSecret, hashToken, isToken } from '#app/platform/secrets/secret-tokens.server.ts';
import { actorOfToken } from './api-tokens.server.ts';
import { repos } from './repositories.server.ts';

/**
 * A registered program. Nothing of it is stored: its id is its registration, which only this server can have written. So
 * registering costs nothing, and nobody has to sweep programs that never came back.
 */
const registrationSchema = z.object({ name: z.string(), redirects: z.array(z.string()) });
export type Program = z.infer<typeof registrationSchema>;

const CLIENT_USE = { purpose: 'oauth-client', ownerId: '' };

/** The id of a program. */
export const programId = (ctx: Ctx, program: Program): string =>
  encryptSecret(ctx.secret, CLIENT_USE, JSON.stringify(program));

/** The program with this id; null unless this server registered it. */
export function findProgram(ctx: Ctx, clientId: string): Program | null {
  const text = decryptSecret(ctx.secret, CLIENT_USE, clientId);
  return text === null ? null : registrationSchema.parse(JSON.parse(text));
}

/** What a program asks its user for. */
export interface ConnectionRequest {
  name: string;
  /** The host that gets the answer. */
  host: string;
  scope: ApiTokenScope;
}

interface CheckedRequest extends ConnectionRequest {
  clientId: string;
  redirectUri: string;
  state: string | undefined;
  challenge: string;
}

/** The program's address, as it was checked, with an answer. */
function answerAddress(
  ctx: Ctx,
  { redirectUri, state }: { redirectUri: string; state: string | undefined },
  answer: Record<string, string>,
): string {
  const address = new URL(redirectUri);
  const all = { ...answer, iss: ctx.appUrl, ...(state !== undefined && { state }) };
  for (const [name, value] of Object.entries(all)) address.searchParams.set(name, value);
  return address.href;
}

/** Whether a request is about what connections are for (RFC 8707). */
export const isForUs = (ctx: Ctx, resource: string | null): boolean =>
  resource === null || [resourceOf(ctx.appUrl), `${resourceOf(ctx.appUrl)}/`].includes(resource);

/**
 * Reads a request for a connection.
 * @returns the request, or the address that tells the program what is wrong with it
 * @throws AppError INVALID_INPUT when the program is unknown, so that nobody is sent anywhere
 */
function checkRequest(ctx: Ctx, search: URLSearchParams): CheckedRequest | { leaveTo: string } {
  // Of two values of one name, one would be checked and the other one used.
  if (new Set(search.keys()).size !== search.size)
    throw new AppError('INVALID_INPUT', CONNECTION_MESSAGES.client);
  const values: Record<string, string | undefined> = Object.fromEntries(search);
  const { state, resource } = values;
  const client = connectionClientSchema.safeParse(values);
  const program = client.success ? findProgram(ctx, client.data.client_id) : null;
  if (!client.success || program === null) throw new AppError('INVALID_INPUT', CONNECTION_MESSAGES.client);
  const { client_id: clientId, redirect_uri: redirectUri } = client.data;
  if (!program.redirects.includes(hashToken(redirectUri)))
    throw new AppError('INVALID_INPUT', CONNECTION_MESSAGES.redirect);
  const refuse = (error: string) => ({ leaveTo: answerAddress(ctx, { redirectUri, state }, { error }) });
  const request = connectionRequestSchema.safeParse(values);
  if (!request.success)
    return refuse(values['response_type'] === 'code' ? 'invalid_request' : 'unsupported_response_type');
  if (!isForUs(ctx, resource ?? null)) return refuse('invalid_target');
  const scope = scopeOf(request.data.scope);
  if (scope === null) return refuse('invalid_scope');
  const { host } = new URL(redirectUri);
  const { code_challenge: challenge } = request.data;
  return { clientId, redirectUri, state, name: program.name, host, scope, challenge };
}

/**
 * What a program asks the signed-in user for.
 * @param search the query that the program sent
 * @returns the request, or the address that tells the program what is wrong with it
 * @throws AppError RECENT_SIGN_IN_REQUIRED; INVALID_INPUT when the program is unknown
 */
export async function readConnectionRequest(
  ctx: Ctx,
  search: URLSearchParams,
): Promise<ConnectionRequest | { leaveTo: string }> {
  authoriseRecent(ctx, 'api-token.create');
  const request = checkRequest(ctx, search);
  if ('leaveTo' in request) return request;
  const { name, host, scope } = request;
  return { name, host, scope };
}

/**
 * Carries the user's answer to the program.
 * @returns where the browser goes, with a code that works once, or with the refusal
 * @throws AppError RECENT_SIGN_IN_REQUIRED; INVALID_INPUT; CONFLICT when the account has the maximum of tokens
 */
export async function answerConnectionRequest(
  ctx: Ctx,
  search: URLSearchParams,
  input: z.input<typeof consentSchema>,
): Promise<string> {
  const user = authoriseRecent(ctx, 'api-token.create');
  const { intent, scope: choice = 'read' } = parseInput(consentSchema, input);
  const request = checkRequest(ctx, search);
  if ('leaveTo' in request) return request.leaveTo;
  if (intent === 'deny') return answerAddress(ctx, request, { error: 'access_denied' });
  if ((await repos(ctx).apiTokens.list(user.id)).length >= MAX_API_TOKENS)
    throw conflict('LIMIT_REACHED', API_TOKEN_MESSAGES.limit);
  const { clientId, redirectUri, challenge, name } = request;
  const scope = request.scope === 'write' ? choice : 'read';
  const facts = { client: hashToken(clientId), redirect: hashToken(redirectUri), challenge, name, scope };
  const code = await createOneTimeSecret(ctx, {
    userId: user.id,
    purpose: 'connection',
    lifeMs: CODE_MS,
    facts,
  });
  return answerAddress(ctx, request, { code });
}

/** What a code stands for. */
export const factsSchema = z.object({
  client: z.string(),
  redirect: z.string(),
  challenge: z.string(),
  name: z.string(),
  scope: z.enum(['read', 'write']),
});

export type Connection = ApiTokenRecord & { connection: NonNullable<ApiTokenRecord['connection']> };

export const isConnection = (record: ApiTokenRecord | null): record is Connection =>
  record?.connection != null;

/** The connection that a token is about, and the token's own part; null for anything else. */
export async function findBySecret(
  ctx: Ctx,
  token: string,
  prefix: string,
): Promise<{ key: string; hash: string; record: Connection } | null> {
  const [key = '', part = ''] = token.startsWith(prefix) ? token.slice(prefix.length).split('.', 2) : [];
  if (!isToken(key) || !isToken(part)) return null;
  const record = await repos(ctx).apiTokens.findByHash(hashToken(key));
  return isConnection(record) ? { key, hash: hashToken(part), record } : null;
}

/**
 * The user of a connection's access token.
 * @returns null when it is unknown, revoked or expired, and for anything else
 * @throws AppError SUSPENDED
 */
export async function resolveConnection(
  ctx: Ctx,
  token: string | null | undefined,
): Promise<{ actor: SignedInUser } | null> {
  const found = token ? await findBySecret(ctx, token, ACCESS_PREFIX) : null;
  if (found === null) return null;
  const { hash, record } = found;
  const { accessHash, accessEndsAt } = record.connection;
  if (hash !== accessHash || accessEndsAt <= ctx.now() || isExpired(record, ctx.now())) return null;
  return actorOfToken(ctx, record);
}
