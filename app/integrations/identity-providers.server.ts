import type { Configuration, CustomFetch } from 'openid-client';
import { AppError } from '#app/domain/errors.ts';
import type { Log } from '#app/domain/log.ts';
import {
  isLoopbackHost,
  type IdentityProviderSettings,
  type Settings,
} from '#app/domain/settings/settings.ts';

/** Loaded on first use, because most servers have no provider. */
const library = () => import('openid-client');

/** Who somebody is at a provider. */
export interface Identity {
  issuer: string;
  /** Never changes at this issuer and is never given to somebody else. */
  subject: string;
  /** Null unless the provider has verified that it is theirs. */
  email: string | null;
}

/** One visit to a provider, as the browser keeps it until the provider sends it back. */
export interface ProviderVisit {
  /** Comes back with the browser. */
  state: string;
  /** Comes back inside the provider's signed answer. */
  nonce: string;
  /** Only with it the provider's code can be redeemed (PKCE). */
  verifier: string;
  /** Seconds since 1970: a sign-in at the provider must be later; null where an older one will do. */
  freshSince: number | null;
}

/** Providers of OpenID Connect, which the operator of this server trusts. */
export interface IdentityProviders {
  find(id: string): { id: string; name: string } | undefined;
  /** The first provider of this issuer. */
  ofIssuer(issuer: string): { id: string; name: string } | undefined;
  /**
   * Begins a visit.
   * @param isFresh whether the provider has to ask who somebody is even if it knows
   * @returns the address of the provider to send the browser to
   * @throws AppError PROVIDER_UNAVAILABLE
   */
  begin(
    id: string,
    options: { state: string; isFresh: boolean },
  ): Promise<{ address: string; visit: ProviderVisit }>;
  /**
   * Ends a visit: redeems the code and checks the provider's answer.
   * @param answer the query that the browser came back with
   * @throws AppError PROVIDER_UNAVAILABLE; INVALID_INPUT for an answer that does not belong to the visit or is not the provider's
   */
  identify(id: string, answer: URLSearchParams, visit: ProviderVisit): Promise<Identity>;
  /**
   * The address at which somebody ends their session at the provider; null when it has none.
   * @throws AppError PROVIDER_UNAVAILABLE
   */
  signOutAddress(id: string): Promise<string | null>;
}

/** How far the provider's clock may be off. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** For each request. */
const TIMEOUT_SECONDS = 8;
const MAX_BYTES = 1024 * 1024;
/** For how long a provider's addresses and keys are used before they are read again. */
const METADATA_MS = 60 * 60_000;
/** How long a visit may last. */
export const VISIT_MINUTES = 10;

/** The provider did not answer, or not in a usable way. */
class Unreachable extends Error {}

async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Unreachable('answered with too much');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Over https, or on this machine; at most 1 MB; no redirects. */
const boundedFetch: CustomFetch = async (address, { body, ...options }) => {
  const { protocol, hostname } = new URL(address);
  if (protocol !== 'https:' && !isLoopbackHost(hostname))
    throw new Unreachable('has an address without https');
  try {
    const response = await fetch(address, { ...options, body: body as BodyInit | null | undefined });
    const bytes = await readBounded(response);
    if (response.status >= 500) throw new Unreachable(`answered ${response.status}`);
    const { status, headers } = response;
    return new Response(bytes.length === 0 ? null : bytes, { status, headers });
  } catch (cause) {
    throw cause instanceof Unreachable ? cause : new Unreachable('did not answer', { cause });
  }
};

/** The first error in a chain of causes that the test is true for. */
function causeOf<E>(error: unknown, is: (error: unknown) => error is E): E | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1)
    if (is(at)) return at;
  return null;
}

const isUnreachable = (error: unknown): error is Unreachable => error instanceof Unreachable;

/** What may be logged of a refusal: its kind, never a code, a token or an address. */
function logged(error: unknown): { reason: string; code?: string } {
  const reason = causeOf(error, isUnreachable)?.message ?? (error instanceof Error ? error.name : 'unknown');
  const { code } = error as { code?: unknown };
  return { reason, ...(typeof code === 'string' && { code }) };
}

const unavailable = ({ name }: { name: string }, cause: unknown) =>
  new AppError(
    'PROVIDER_UNAVAILABLE',
    `${name} cannot be reached at the moment. Try again later, or sign in another way.`,
    { cause },
  );

/** The provider's own refusal, for example because somebody pressed Cancel there. */
const isDenied = (error: unknown): error is Error & { error: string } =>
  error instanceof Error && error.name === 'AuthorizationResponseError';

function refusal({ name }: { name: string }, cause: unknown): AppError {
  if (causeOf(cause, isUnreachable)) return unavailable({ name }, cause);
  const isCancelled = causeOf(cause, isDenied)?.error === 'access_denied';
  return new AppError(
    'INVALID_INPUT',
    isCancelled
      ? `You did not let ${name} tell us who you are, so nothing has changed.`
      : `${name} did not confirm who you are. Please try again.`,
    { cause },
  );
}

/** Reads a provider's addresses, and what this server is there. */
async function discover(settings: IdentityProviderSettings): Promise<Configuration> {
  const oidc = await library();
  const { issuer, clientId, clientSecret } = settings;
  const basic = oidc.ClientSecretBasic(clientSecret);
  const post = oidc.ClientSecretPost(clientSecret);
  const none = oidc.None();
  return oidc.discovery(
    new URL(issuer),
    clientId,
    { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    (server, ...rest) => {
      // Basic is what a provider supports that does not say.
      const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
      const authenticate =
        clientSecret === undefined ? none : methods.includes('client_secret_basic') ? basic : post;
      authenticate(server, ...rest);
    },
    {
      [oidc.customFetch]: boundedFetch,
      timeout: TIMEOUT_SECONDS,
      execute: [
        oidc.enableNonRepudiationChecks,
        ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
      ],
    },
  );
}

/** What the provider says about an address, in its signed answer or else when asked. */
async function verifiedEmail(
  configuration: Configuration,
  claims: Readonly<Record<string, unknown>>,
  accessToken: string,
  subject: string,
): Promise<string | null> {
  const { fetchUserInfo } = await library();
  const canAsk = configuration.serverMetadata().userinfo_endpoint !== undefined;
  const facts: Readonly<Record<string, unknown>> =
    'email' in claims || !canAsk ? claims : await fetchUserInfo(configuration, accessToken, subject);
  const { email, email_verified: isVerified } = facts;
  return typeof email === 'string' && isVerified === true ? email : null;
}

/** Whether the times in an answer are possible: issued by now, and signed in there since then. */
function areTimesRight(claims: { iat: number; auth_time?: number }, freshSince: number | null): boolean {
  const latest = Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS;
  if (claims.iat > latest) return false;
  return freshSince === null || (claims.auth_time ?? 0) >= freshSince - CLOCK_TOLERANCE_SECONDS;
}

/** The providers of the settings. Nothing is sent to one before somebody wants to sign in with it. */
export function createIdentityProviders(
  { identityProviders, APP_URL }: Pick<Settings, 'identityProviders' | 'APP_URL'>,
  log: Log,
): IdentityProviders {
  const providers = new Map(identityProviders.map((provider) => [provider.id, provider]));
  const known = new Map<string, { configuration: Promise<Configuration>; until: number }>();

  function get(id: string): IdentityProviderSettings {
    const provider = providers.get(id);
    if (provider === undefined) throw new AppError('NOT_FOUND', 'There is no such way to sign in.');
    return provider;
  }

  async function configurationOf(provider: IdentityProviderSettings): Promise<Configuration> {
    const { id } = provider;
    const now = Date.now();
    const cached = known.get(id);
    const entry =
      cached !== undefined && cached.until > now
        ? cached
        : { configuration: discover(provider), until: now + METADATA_MS };
    known.set(id, entry);
    try {
      return await entry.configuration;
    } catch (error) {
      if (known.get(id) === entry) known.delete(id);
      log.warn({ provider: id, ...logged(error) }, 'a provider of sign-ins is not available');
      throw unavailable(provider, error);
    }
  }

  const redirectUri = (id: string) => `${APP_URL}/sign-in/${id}`;

  return {
    find: (id) => {
      const provider = providers.get(id);
      return provider && { id, name: provider.name };
    },

    ofIssuer: (issuer) => {
      // A provider may write its address with another ending than the settings.
      const { href } = new URL(issuer);
      return identityProviders.find((provider) => new URL(provider.issuer).href === href);
    },

    async begin(id, { state, isFresh }) {
      const configuration = await configurationOf(get(id));
      const oidc = await library();
      const freshSince = isFresh ? Math.floor(Date.now() / 1000) : null;
      const visit = {
        state,
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        freshSince,
      };
      const address = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri(id),
        scope: 'openid email',
        state,
        nonce: visit.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(visit.verifier),
        code_challenge_method: 'S256',
        ...(isFresh && { prompt: 'login', max_age: '0' }),
      });
      return { address: address.href, visit };
    },

    async identify(id, answer, { state, nonce, verifier, freshSince }) {
      const provider = get(id);
      const configuration = await configurationOf(provider);
      const oidc = await library();
      try {
        const tokens = await oidc.authorizationCodeGrant(
          configuration,
          new URL(`${redirectUri(id)}?${answer.toString()}`),
          {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: verifier,
            ...(freshSince !== null && { maxAge: VISIT_MINUTES * 60 }),
          },
        );
        const claims = tokens.claims();
        if (claims === undefined || !areTimesRight(claims, freshSince))
          throw new Error('a time in the answer is not possible');
        const { iss: issuer, sub: subject } = claims;
        return {
          issuer,
          subject,
          email: await verifiedEmail(configuration, claims, tokens.access_token, subject),
        };
      } catch (error) {
        log.info({ provider: id, ...logged(error) }, 'an answer of a provider of sign-ins was refused');
        throw refusal(provider, error);
      }
    },

    async signOutAddress(id) {
      const configuration = await configurationOf(get(id));
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
      const { buildEndSessionUrl } = await library();
      // Without a token that names the person: none is kept, so the provider asks them.
      return buildEndSessionUrl(configuration, { post_logout_redirect_uri: `${APP_URL}/login` }).href;
    },
  };
}
