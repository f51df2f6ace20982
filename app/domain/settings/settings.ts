import * as z from 'zod';
import { AppError, type FieldErrors } from '#app/domain/errors.ts';

/** An empty environment variable counts as not set. */
const unset = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? undefined : value);

const text = (otherwise: string) => z.preprocess(unset, z.string().trim().default(otherwise));
const optionalText = () => z.preprocess(unset, z.string().trim().optional());

function choice<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `one of ${values.join(', ')}` });
}

function wholeNumber(limits: { min: number; max: number }) {
  const expected = `a whole number from ${limits.min} to ${limits.max}`;
  return z
    .string()
    .trim()
    .regex(/^\d+$/, { error: expected })
    .transform(Number)
    .refine((value) => value >= limits.min && value <= limits.max, { error: expected });
}

const positiveNumber = z
  .string()
  .trim()
  .regex(/^\d+(\.\d+)?$/, { error: 'a number greater than 0, for example 1 or 0.5' })
  .transform(Number)
  .refine((value) => value > 0 && value <= 1_000_000, { error: 'a number greater than 0, at most 1000000' });

/** How many proxies are in front of the server: `true` means one, 0 means that forwarding headers are ignored. */
const proxyCount = z
  .string()
  .trim()
  .toLowerCase()
  .transform((value) => ({ true: '1', yes: '1', on: '1', false: '0', no: '0', off: '0' })[value] ?? value)
  .refine((value) => /^\d$/.test(value), {
    error: 'true, false or the number of proxies in front of this server',
  })
  .transform(Number);

function isUrl(value: string, protocols: readonly string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol);
}

function urlOf(protocols: readonly string[], expected: string) {
  return z
    .string()
    .trim()
    .refine((value) => isUrl(value, protocols), { error: expected, abort: true });
}

/** Only the origin counts, so a trailing slash makes no difference. */
const appUrl = urlOf(['http:', 'https:'], 'an address such as https://vialbook.example.org')
  .refine((value) => ['', '/'].includes(new URL(value).pathname) && new URL(value).search === '', {
    error: 'an address without a path, such as https://vialbook.example.org',
  })
  .transform((value) => new URL(value).origin);

const ORIGINS_EXPECTED = 'origins separated by commas, such as https://app.example.org';

function isOrigin(value: string): boolean {
  return isUrl(value, ['http:', 'https:']) && new URL(value).origin === value;
}

/** Origins of other sites whose pages may call the API with a bearer token. */
const originList = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim().replace(/\/$/, '')))
  .refine((origins) => origins.every(isOrigin), { error: ORIGINS_EXPECTED });

const ISSUER_EXPECTED =
  'the issuer of a provider, such as https://id.example.org: https (http only on this machine), without a query and /.well-known/';

/** An issuer's address, from which its other addresses are found. */
function isIssuer(value: string): boolean {
  if (!isUrl(value, ['https:', 'http:'])) return false;
  const { protocol, hostname, search, hash, username, pathname } = new URL(value);
  const isPlain = search === '' && hash === '' && username === '' && !pathname.includes('/.well-known/');
  return isPlain && (protocol === 'https:' || isLoopbackHost(hostname));
}

/** One provider that people sign in with; further ones have the same names with a number, such as `OIDC_ISSUER_2`. */
const providerShape = {
  OIDC_ISSUER: z.preprocess(
    unset,
    z.string().trim().max(500).refine(isIssuer, { error: ISSUER_EXPECTED }).optional(),
  ),
  OIDC_CLIENT_ID: z.preprocess(unset, z.string().trim().max(500).optional()),
  OIDC_CLIENT_SECRET: z.preprocess(unset, z.string().trim().max(2000).optional()),
  OIDC_NAME: z.preprocess(
    unset,
    z.string().trim().max(40, { error: 'a name of at most 40 characters' }).optional(),
  ),
};

const providerSchema = z.object(providerShape);

/** Parses every setting from the environment's text into a typed value. */
export const environmentSchema = z.object({
  NODE_ENV: optionalText(),
  PORT: z.preprocess(unset, wholeNumber({ min: 0, max: 65_535 }).default(3000)),
  HOST: text('127.0.0.1'),
  DATA_DIR: text('./data'),
  MONGODB_URI: z.preprocess(
    unset,
    z
      .string()
      .trim()
      .regex(/^mongodb(\+srv)?:\/\/.+/, {
        error: 'a MongoDB address that begins with mongodb:// or mongodb+srv://',
      })
      .optional(),
  ),
  QUERY_TIMEOUT_MS: z.preprocess(unset, wholeNumber({ min: 1, max: 600_000 }).default(30_000)),
  APP_URL: z.preprocess(unset, appUrl.optional()),
  CORS_ORIGINS: z.preprocess(unset, originList.default([])),
  RATE_LIMIT_FACTOR: z.preprocess(unset, positiveNumber.default(1)),
  SESSION_SECRET: z.preprocess(
    unset,
    z.string().min(32, { error: 'a random secret of at least 32 characters' }).optional(),
  ),
  BILLING: z.preprocess(unset, choice(['stripe', 'test', 'off']).optional()),
  SIGN_UP: z.preprocess(unset, choice(['open', 'invite', 'closed']).default('open')),
  PASSWORD_SIGN_IN: z.preprocess(unset, choice(['on', 'off']).default('on')),
  ...providerShape,
  STRIPE_SECRET_KEY: z.preprocess(
    unset,
    z
      .string()
      .trim()
      .regex(/^(sk|rk)_/, { error: 'a Stripe secret key, which begins with sk_ or rk_' })
      .optional(),
  ),
  STRIPE_WEBHOOK_SECRET: z.preprocess(
    unset,
    z
      .string()
      .trim()
      .regex(/^whsec_/, { error: 'a Stripe webhook secret, which begins with whsec_' })
      .optional(),
  ),
  STRIPE_PRICE_MONTHLY: optionalText(),
  STRIPE_PRICE_YEARLY: optionalText(),
  SMTP_URL: z.preprocess(
    unset,
    urlOf(['smtp:', 'smtps:'], 'an address such as smtp://user:password@host:587').optional(),
  ),
  MAIL_FROM: optionalText(),
  VAPID_PUBLIC_KEY: optionalText(),
  VAPID_PRIVATE_KEY: optionalText(),
  VAPID_SUBJECT: z.preprocess(
    unset,
    urlOf(['mailto:', 'https:'], 'an address that begins with mailto: or https://').optional(),
  ),
  METRICS_TOKEN: z.preprocess(
    unset,
    z.string().trim().min(16, { error: 'a random secret of at least 16 characters' }).optional(),
  ),
  STYLEGUIDE: z.preprocess(unset, choice(['on', 'off']).default('off')),
  WORKER: z.preprocess(unset, choice(['on', 'off']).default('on')),
  BACKUP_DIR: optionalText(),
  BACKUP_EVERY_HOURS: z.preprocess(unset, wholeNumber({ min: 1, max: 8760 }).default(24)),
  BACKUP_KEEP: z.preprocess(unset, wholeNumber({ min: 1, max: 10_000 }).default(14)),
  AUDIT_KEEP_DAYS: z.preprocess(unset, wholeNumber({ min: 30, max: 36_500 }).optional()),
  TRUST_PROXY: z.preprocess(unset, proxyCount.default(0)),
  LOG_LEVEL: z.preprocess(
    unset,
    choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ),
});

/** The parsed environment, before rules that combine several settings. */
type Environment = z.infer<typeof environmentSchema>;

/** Who handles payments: Stripe, a simulation in this process (test), or nobody, because nothing is sold here. */
export type BillingMode = 'stripe' | 'test' | 'off';

/** The settings of one process, named as in the environment, complete and checked. */
export interface Settings extends Omit<Environment, 'APP_URL' | 'BILLING' | keyof typeof providerShape> {
  /** Origin of the site, without a trailing slash. */
  APP_URL: string;
  BILLING: BillingMode;
  /** Of `OIDC_ISSUER` and its numbered companions, in the order of their numbers. */
  identityProviders: readonly IdentityProviderSettings[];
}

/** A provider of OpenID Connect that people sign in with. */
export interface IdentityProviderSettings {
  /** Part of its addresses here: `oidc`, and `oidc-2` for `OIDC_ISSUER_2`. */
  id: string;
  /** What people read on its buttons. */
  name: string;
  issuer: string;
  clientId: string;
  /** None for a client that has no secret. */
  clientSecret: string | undefined;
}

const PROVIDER_SETTING = /^(OIDC_(?:ISSUER|CLIENT_ID|CLIENT_SECRET|NAME))(_\d{1,4})?$/;

/**
 * Reads the providers' settings, grouped by the number at the end of their names.
 * @returns the providers, and what is wrong as [name, what was expected]
 */
function readProviders(environment: Record<string, string | undefined>) {
  const groups = new Map<string, Map<string, string>>();
  for (const [name, value] of Object.entries(environment)) {
    const [, key, suffix = ''] = PROVIDER_SETTING.exec(name) ?? [];
    if (key === undefined || unset(value) === undefined) continue;
    const group = groups.get(suffix) ?? new Map<string, string>();
    groups.set(suffix, group.set(key, value ?? ''));
  }
  const providers: IdentityProviderSettings[] = [];
  const wrong: [string, string][] = [];
  const number = (suffix: string) => Number(suffix.slice(1));
  for (const [suffix, group] of [...groups].sort(([a], [b]) => number(a) - number(b))) {
    const parsed = providerSchema.safeParse(Object.fromEntries(group));
    // The first provider's own names were checked with all other settings.
    if (!parsed.success) {
      if (suffix !== '')
        for (const issue of parsed.error.issues)
          wrong.push([`${issue.path.join('.')}${suffix}`, issue.message]);
      continue;
    }
    const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET, OIDC_NAME } = parsed.data;
    if (issuer === undefined || clientId === undefined) {
      const missing = issuer === undefined ? 'OIDC_ISSUER' : 'OIDC_CLIENT_ID';
      wrong.push([`${missing}${suffix}`, 'a value, because another OIDC setting of this provider is set']);
      continue;
    }
    providers.push({
      id: `oidc${suffix.replace('_', '-')}`,
      name: OIDC_NAME ?? new URL(issuer).host,
      issuer,
      clientId,
      clientSecret: OIDC_CLIENT_SECRET,
    });
  }
  return { providers, wrong };
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1', '[::1]']);

/** True for a host name that only this machine can reach. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.has(host.toLowerCase());
}

/** True for a socket address of a connection from this machine. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/i.test(address);
}

function billingMode(environment: Environment, appUrl: string): BillingMode {
  if (environment.BILLING) return environment.BILLING;
  if (environment.STRIPE_SECRET_KEY) return 'stripe';
  return isPrivate(environment.HOST, appUrl) ? 'test' : 'off';
}

/** True when only this machine is meant to reach the server. */
const isPrivate = (host: string, appUrl: string): boolean =>
  isLoopbackHost(host) && isLoopbackHost(new URL(appUrl).hostname);

/** Broken rules that involve several settings, each as [name, what was expected]. */
function conflicts(environment: Environment, billing: BillingMode, appUrl: string): [string, string][] {
  const found: [string, string][] = [];
  if (billing === 'test' && !isPrivate(environment.HOST, appUrl)) {
    found.push([
      'BILLING',
      'stripe or off, because test mode gives Premium away and APP_URL or HOST is not loopback',
    ]);
  }
  if (!environment.APP_URL && !isLoopbackHost(environment.HOST)) {
    found.push(['APP_URL', 'the public address of the site, because HOST is not a loopback address']);
  }
  if (environment.NODE_ENV === 'production' && environment.MONGODB_URI && !environment.SESSION_SECRET) {
    found.push([
      'SESSION_SECRET',
      'a random secret of at least 32 characters, because MONGODB_URI is set in production',
    ]);
  }
  if (billing === 'stripe' && !environment.STRIPE_SECRET_KEY) {
    found.push(['STRIPE_SECRET_KEY', 'a Stripe secret key, because BILLING is stripe']);
  }
  if (Boolean(environment.VAPID_PUBLIC_KEY) !== Boolean(environment.VAPID_PRIVATE_KEY)) {
    const missing = environment.VAPID_PUBLIC_KEY ? 'VAPID_PRIVATE_KEY' : 'VAPID_PUBLIC_KEY';
    found.push([missing, 'a value, because the other VAPID key is set']);
  }
  return found;
}

function refuse(wrong: readonly (readonly [string, string])[]): never {
  const fields: FieldErrors = {};
  for (const [name, expected] of wrong) (fields[name] ??= []).push(expected);
  const lines = wrong.map(([name, expected]) => `${name}: expected ${expected}.`);
  throw new AppError('INVALID_INPUT', ['These settings are invalid:', ...lines].join('\n'), { fields });
}

/**
 * Reads the settings from an environment.
 * @throws AppError INVALID_INPUT that names each wrong setting and what was expected; values are never repeated
 * because some of them are secrets.
 */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success)
    refuse(parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message] as const));
  const values = parsed.data;
  const appUrl = values.APP_URL ?? `http://localhost:${values.PORT}`;
  const billing = billingMode(values, appUrl);
  const { providers, wrong } = readProviders(environment);
  if (values.PASSWORD_SIGN_IN === 'off' && providers.length === 0)
    wrong.push(['PASSWORD_SIGN_IN', 'on, because no provider is set with OIDC_ISSUER: nobody could sign in']);
  const all = [...conflicts(values, billing, appUrl), ...wrong];
  if (all.length > 0) refuse(all);
  return { ...values, APP_URL: appUrl, BILLING: billing, identityProviders: providers };
}

/** What a write to a deployment waits for, if its address says so (`w=`): `majority`, or the number of members. */
export const writeConcernOf = (uri: string): string | undefined => /[?&]w=([^&]*)/.exec(uri)?.[1];

/**
 * Warnings for the startup log about settings that are allowed but probably a mistake. With Stripe's test keys a site
 * gives Premium for test cards, which cost nothing. A write that fewer members have than the majority is undone when the
 * first of them is lost.
 */
export function settingWarnings({
  BILLING,
  STRIPE_SECRET_KEY,
  APP_URL,
  MONGODB_URI = '',
}: Settings): string[] {
  const warnings: string[] = [];
  const isTestKey = /^(sk|rk)_test_/.test(STRIPE_SECRET_KEY ?? '');
  if (BILLING === 'stripe' && isTestKey && APP_URL.startsWith('https:'))
    warnings.push('STRIPE_SECRET_KEY is a test key: anyone can get Premium with a test card.');
  const concern = writeConcernOf(MONGODB_URI);
  if (concern !== undefined && concern !== 'majority')
    warnings.push(
      `MONGODB_URI asks writes not to wait for the majority of the members (w=${concern}): saved data is lost with one server.`,
    );
  return warnings;
}
