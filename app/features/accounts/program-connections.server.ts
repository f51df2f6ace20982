import { createHash } from 'node:crypto';
import {
  InvalidClientError,
  InvalidClientMetadataError,
  InvalidGrantError,
  InvalidRequestError,
  InvalidTargetError,
  OAuthError,
  UnsupportedGrantTypeError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import {
  OAuthClientMetadataSchema,
  type OAuthClientInformationFull,
  type OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { apiTokenCreatedMail } from '#app/domain/accounts/account-mails.ts';
import { isGone } from '#app/domain/accounts/account.ts';
import { type ApiTokenScope, isExpired, MAX_API_TOKENS } from '#app/domain/accounts/api-token.ts';
import {
  ACCESS_PREFIX,
  ACCESS_SECONDS,
  CONNECTION_DAYS,
  CONNECTION_MESSAGES,
  connectionName,
  redirectUrisSchema,
  REFRESH_PREFIX,
  scopeText,
} from '#app/domain/accounts/connection.ts';
import { AppError } from '#app/domain/errors.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import type { ApiTokenRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { readJsonBody } from '#app/platform/api/input.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import {
  hashToken,
  isToken,
  newToken,
  takeOneTimeSecret,
} from '#app/platform/secrets/secret-tokens.server.ts';
import {
  factsSchema,
  findBySecret,
  findProgram,
  isConnection,
  isForUs,
  programId,
} from './connections.server.ts';
import { repos } from './repositories.server.ts';

// What programs do themselves to get and keep a connection, with the schemas and errors of the SDK. Loaded with the first request.

/**
 * Registers a program (RFC 7591). It gets no secret: what proves who it is are PKCE and its registered addresses.
 * @throws InvalidClientMetadataError; AppError RATE_LIMITED
 */
export async function registerProgram(ctx: Ctx, metadata: unknown): Promise<OAuthClientInformationFull> {
  await ctx.throttle.take({ rule: THROTTLE_RULES.programRegistration, who: ctx.client.address });
  const parsed = OAuthClientMetadataSchema.safeParse(metadata);
  const redirects = redirectUrisSchema.safeParse(parsed.data?.redirect_uris);
  if (!parsed.success || !redirects.success)
    throw new InvalidClientMetadataError(
      redirects.success ? 'The metadata of the client cannot be read' : CONNECTION_MESSAGES.redirects,
    );
  const name = connectionName(parsed.data.client_name);
  return {
    client_id: programId(ctx, { name, redirects: redirects.data.map(hashToken) }),
    client_id_issued_at: Math.floor(ctx.now().getTime() / 1000),
    client_name: name,
    redirect_uris: redirects.data,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

/** Ends a connection, whoever of owner and program wants that, or because a secret of it was used twice. */
async function endConnection(ctx: Ctx, { userId, tokenId, scope }: ApiTokenRecord): Promise<void> {
  await ctx.transaction(async () => {
    if ((await repos(ctx).apiTokens.delete(userId, tokenId)) === null) return;
    const before = { token: tokenId, scope };
    await recordAudit(ctx, { action: 'api-token.revoke', subjectId: userId, before, after: {} });
  });
}

/** New secrets of a connection. `key` finds it; together with it, each of the others opens something. */
function newSecrets(ctx: Ctx, key: string, client: string) {
  const [access, refresh] = [newToken(), newToken()];
  return {
    stored: {
      client,
      accessHash: hashToken(access),
      accessEndsAt: new Date(ctx.now().getTime() + ACCESS_SECONDS * 1000),
      refreshHash: hashToken(refresh),
    },
    tokens: (scope: ApiTokenScope): OAuthTokens => ({
      access_token: `${ACCESS_PREFIX}${key}.${access}`,
      token_type: 'Bearer',
      expires_in: ACCESS_SECONDS,
      refresh_token: `${REFRESH_PREFIX}${key}.${refresh}`,
      scope: scopeText(scope),
    }),
  };
}

const lastDayOf = (ctx: Ctx): Date => new Date(ctx.now().getTime() + CONNECTION_DAYS * DAY_MS);

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** The program of a request. @throws InvalidClientError */
function clientOf(ctx: Ctx, form: URLSearchParams): string {
  const clientId = form.get('client_id') ?? '';
  if (findProgram(ctx, clientId) === null) throw new InvalidClientError('This client is not registered');
  return hashToken(clientId);
}

function requireOurResource(ctx: Ctx, form: URLSearchParams): void {
  if (!isForUs(ctx, form.get('resource'))) throw new InvalidTargetError('Tokens are only for /mcp');
}

/** Exchanges a code for the first tokens. A code that comes a second time ends what came of the first. */
async function exchangeCode(ctx: Ctx, form: URLSearchParams): Promise<OAuthTokens> {
  const client = clientOf(ctx, form);
  const code = form.get('code') ?? '';
  const secret = await takeOneTimeSecret(ctx, 'connection', code);
  if (secret === null) {
    const known = isToken(code) ? await repos(ctx).apiTokens.findByHash(hashToken(code)) : null;
    if (isConnection(known)) await endConnection(ctx, known);
    throw new InvalidGrantError('The code was used or has expired');
  }
  const facts = factsSchema.parse(secret.facts);
  if (facts.client !== client || facts.redirect !== hashToken(form.get('redirect_uri') ?? ''))
    throw new InvalidGrantError('The code was given to another client or address');
  if (facts.challenge !== challengeOf(form.get('code_verifier') ?? ''))
    throw new InvalidGrantError('code_verifier does not match the challenge');
  requireOurResource(ctx, form);
  const { scope, name } = facts;
  const { userId } = secret;
  const { stored, tokens } = newSecrets(ctx, code, client);
  const now = ctx.now();
  const record: ApiTokenRecord = {
    hash: hashToken(code),
    userId,
    tokenId: newId(now),
    name,
    scope,
    createdAt: now,
    expiresAt: lastDayOf(ctx),
    lastUsedAt: null,
    connection: stored,
  };
  await ctx.transaction(async () => {
    const user = await repos(ctx).users.find(userId);
    const isOpen = user !== null && !isGone(user, now) && user.suspendedAt === null;
    if (!isOpen || !(await repos(ctx).apiTokens.create(record, MAX_API_TOKENS)))
      throw new InvalidGrantError('The account has no room for another connection, or is closed');
    const after = { token: record.tokenId, scope, expiresAt: record.expiresAt };
    await recordAudit(ctx, { action: 'api-token.create', subjectId: userId, before: {}, after });
    const { appUrl, timeZone } = ctx;
    await ctx.mailQueue.post(user.email, apiTokenCreatedMail({ appUrl, at: now, timeZone, name, scope }));
  });
  return tokens(scope);
}

/** Exchanges a refresh token for new tokens. One that was exchanged before ends the connection: somebody else has it. */
async function refresh(ctx: Ctx, form: URLSearchParams): Promise<OAuthTokens> {
  const client = clientOf(ctx, form);
  const found = await findBySecret(ctx, form.get('refresh_token') ?? '', REFRESH_PREFIX);
  const refused = () => new InvalidGrantError('The refresh token was used, revoked or has expired');
  if (found === null || found.record.connection.client !== client || isExpired(found.record, ctx.now()))
    throw refused();
  requireOurResource(ctx, form);
  const { key, hash, record } = found;
  const { stored, tokens } = newSecrets(ctx, key, client);
  const { userId, tokenId, scope } = record;
  if (
    await repos(ctx).apiTokens.renew(userId, tokenId, hash, { connection: stored, expiresAt: lastDayOf(ctx) })
  )
    return tokens(scope);
  await endConnection(ctx, record);
  throw refused();
}

/**
 * Gives a program its tokens, for a code or a refresh token.
 * @param form as sent to the token endpoint
 * @throws OAuthError; AppError RATE_LIMITED
 */
export async function giveTokens(ctx: Ctx, form: URLSearchParams): Promise<OAuthTokens> {
  await ctx.throttle.take({ rule: THROTTLE_RULES.apiClient, who: ctx.client.address });
  const type = form.get('grant_type');
  if (type === 'authorization_code') return exchangeCode(ctx, form);
  if (type === 'refresh_token') return refresh(ctx, form);
  if (type === null) throw new InvalidRequestError('grant_type is missing');
  throw new UnsupportedGrantTypeError('Use authorization_code or refresh_token');
}

/**
 * Ends the connection that a token belongs to (RFC 7009). An unknown token is no error.
 * @throws InvalidClientError; AppError RATE_LIMITED
 */
export async function revokeConnection(ctx: Ctx, form: URLSearchParams): Promise<void> {
  await ctx.throttle.take({ rule: THROTTLE_RULES.apiClient, who: ctx.client.address });
  const client = clientOf(ctx, form);
  const token = form.get('token') ?? '';
  const found =
    (await findBySecret(ctx, token, REFRESH_PREFIX)) ?? (await findBySecret(ctx, token, ACCESS_PREFIX));
  if (found === null || found.record.connection.client !== client) return;
  const { hash, record } = found;
  const { accessHash, refreshHash } = record.connection;
  if (hash === accessHash || hash === refreshHash) await endConnection(ctx, record);
}

/** The body of a form. @throws AppError UNSUPPORTED_MEDIA_TYPE */
async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('Content-Type') ?? '';
  if (type.split(';', 1)[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send application/x-www-form-urlencoded.');
  return new URLSearchParams(await request.text());
}

interface Answer {
  status: number;
  body: object;
}

/** What is posted to each address, by the last part of its path. */
const ENDPOINTS: Readonly<
  Record<'register' | 'token' | 'revoke', (ctx: Ctx, request: Request) => Promise<Answer>>
> = {
  async register(ctx, request) {
    return { status: 201, body: await registerProgram(ctx, await readJsonBody(request)) };
  },
  async token(ctx, request) {
    return { status: 200, body: await giveTokens(ctx, await readForm(request)) };
  },
  async revoke(ctx, request) {
    await revokeConnection(ctx, await readForm(request));
    return { status: 200, body: {} };
  },
};

/** Answers what a program posted. @throws AppError for what is no matter of OAuth */
export async function answerProgram(
  name: 'register' | 'token' | 'revoke',
  ctx: Ctx,
  request: Request,
): Promise<Answer> {
  try {
    return await ENDPOINTS[name](ctx, request);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return { status: 400, body: error.toResponseObject() };
  }
}
