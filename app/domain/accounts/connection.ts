import * as z from 'zod';
import { isLoopbackHost } from '#app/domain/settings/settings.ts';
import { API_TOKEN_SCOPES, type ApiTokenScope } from './api-token.ts';

/**
 * A connection: a program that its owner has let in through OAuth, as the authorization part of the Model Context Protocol
 * describes. It reaches `/mcp` and nothing else.
 */

/** How long a code, an access token and an unused connection last. */
export const CODE_MS = 60_000;
export const ACCESS_SECONDS = 3600;
export const CONNECTION_DAYS = 90;

/** Where a program sends the browser to ask for a connection. */
export const CONSENT_PATH = '/connect';

/** Where programs register, and get and revoke their tokens. */
const ENDPOINTS = { register: '/oauth/register', token: '/oauth/token', revoke: '/oauth/revoke' };

/** What begins every access token, so that secret scanners recognise a leaked one. */
export const ACCESS_PREFIX = 'vialbook_mcp_';
export const REFRESH_PREFIX = 'vialbook_refresh_';

/** Whether connections are offered: their secrets must not travel in the clear. */
export function offersConnections(appUrl: string): boolean {
  const { protocol, hostname } = new URL(appUrl);
  return protocol === 'https:' || isLoopbackHost(hostname);
}

/** What a connection is for: its tokens work nowhere else (RFC 8707). */
export const resourceOf = (appUrl: string): string => `${appUrl}/mcp`;

/** Where a program learns whom to ask (RFC 9728). */
export const resourceMetadataUrl = (appUrl: string): string =>
  `${appUrl}/.well-known/oauth-protected-resource/mcp`;

/** The documents of `/.well-known`, by the rest of their path. */
export function connectionMetadata(appUrl: string): Readonly<Record<string, object>> {
  const documentation = `${appUrl}/api/docs`;
  const resource = {
    resource: resourceOf(appUrl),
    authorization_servers: [appUrl],
    scopes_supported: [...API_TOKEN_SCOPES],
    bearer_methods_supported: ['header'],
    resource_name: 'Vialbook',
    resource_documentation: documentation,
  };
  const server = {
    issuer: appUrl,
    authorization_endpoint: `${appUrl}${CONSENT_PATH}`,
    token_endpoint: `${appUrl}${ENDPOINTS.token}`,
    registration_endpoint: `${appUrl}${ENDPOINTS.register}`,
    revocation_endpoint: `${appUrl}${ENDPOINTS.revoke}`,
    scopes_supported: [...API_TOKEN_SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: documentation,
  };
  return {
    'oauth-protected-resource': resource,
    'oauth-protected-resource/mcp': resource,
    'oauth-authorization-server': server,
  };
}

const MAX_REDIRECTS = 5;
const MAX_REDIRECT_LENGTH = 500;
const MAX_NAME_LENGTH = 60;

/** Whether a program may have the answer sent there: to an https address, or to itself on the same machine. */
function isRedirectUri(text: string): boolean {
  if (text.length > MAX_REDIRECT_LENGTH || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
  return isSafe && username === '' && password === '' && hash === '';
}

export const CONNECTION_MESSAGES = {
  redirects: `Register 1 to ${MAX_REDIRECTS} redirect_uris: https, or http on this machine, without a fragment`,
  client: 'The program that sent you here is not registered with this server. Start again in the program.',
  redirect: 'The program that sent you here wants the answer sent to an address that it has not registered.',
  choice: 'Choose what the program may do',
} as const;

/** The addresses a program registers. */
export const redirectUrisSchema = z.array(z.string().refine(isRedirectUri)).min(1).max(MAX_REDIRECTS);

/** A program's name as it is shown: its own claim, without characters that hide or turn round the text beside it. */
export const connectionName = (text: string | undefined): string =>
  (text ?? '')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .trim()
    .slice(0, MAX_NAME_LENGTH) || 'Unnamed program';

/** What must be right before the browser may be sent back to the program. */
export const connectionClientSchema = z.object({
  client_id: z.string().max(2000),
  redirect_uri: z.string().max(MAX_REDIRECT_LENGTH),
});

/** The rest of a request for a connection. PKCE is required, with S256. */
export const connectionRequestSchema = z.object({
  response_type: z.literal('code'),
  code_challenge: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  code_challenge_method: z.literal('S256'),
  scope: z.string().max(200).optional(),
});

/** What a program asks for: everything unless it says less. Null for an unknown scope. */
export function scopeOf(text: string | undefined): ApiTokenScope | null {
  const names = (text ?? 'write').split(' ').filter((name) => name !== '');
  if (names.some((name) => !(API_TOKEN_SCOPES as readonly string[]).includes(name))) return null;
  return names.includes('write') ? 'write' : 'read';
}

/** The scope as a program reads it: whoever may propose may read. */
export const scopeText = (scope: ApiTokenScope): string => (scope === 'write' ? 'read write' : 'read');

/** The owner's answer. */
export const consentSchema = z.object({
  intent: z.enum(['allow', 'deny']),
  scope: z.enum(API_TOKEN_SCOPES, { error: CONNECTION_MESSAGES.choice }).optional(),
});
