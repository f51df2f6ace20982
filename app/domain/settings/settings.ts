import { AppError, type FieldErrors } from '../errors.ts';
import { environmentSchema, type Environment } from './settings-schema.ts';

/** Who answers for Stripe: the real one, this process (test), or nobody. */
export type BillingMode = 'stripe' | 'test' | 'off';

/** The settings of one process, named as in the environment, complete and checked. */
export interface Settings extends Omit<Environment, 'APP_URL' | 'BILLING'> {
  /** Origin of the site, without a trailing slash. */
  APP_URL: string;
  BILLING: BillingMode;
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1', '[::1]']);

/** True for a host name that only this machine reaches. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.has(host.toLowerCase());
}

/** True for the address of a connection from this machine, as a socket tells it. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/i.test(address);
}

function billingMode(environment: Environment, appUrl: string): BillingMode {
  if (environment.BILLING) return environment.BILLING;
  if (environment.STRIPE_SECRET_KEY) return 'stripe';
  return isPrivate(environment.HOST, appUrl) ? 'test' : 'off';
}

/** True when nobody but this machine is meant to reach the server. */
const isPrivate = (host: string, appUrl: string): boolean =>
  isLoopbackHost(host) && isLoopbackHost(new URL(appUrl).hostname);

/** Rules that need more than one setting, each as [name, what was expected]. */
function conflicts(environment: Environment, billing: BillingMode, appUrl: string): [string, string][] {
  const found: [string, string][] = [];
  if (billing === 'test' && !isPrivate(environment.HOST, appUrl)) {
    found.push([
      'BILLING',
      'stripe or off, because test gives Premium away and APP_URL or HOST is not loopback',
    ]);
  }
  if (!environment.APP_URL && !isLoopbackHost(environment.HOST)) {
    found.push(['APP_URL', 'the address people open, because HOST is not a loopback address']);
  }
  if (environment.NODE_ENV === 'production' && environment.MONGODB_URI && !environment.SESSION_SECRET) {
    found.push(['SESSION_SECRET', 'at least 32 characters, because MONGODB_URI names a real deployment']);
  }
  if (billing === 'stripe' && !environment.STRIPE_SECRET_KEY) {
    found.push(['STRIPE_SECRET_KEY', 'a Stripe secret key, because BILLING is stripe']);
  }
  if (Boolean(environment.VAPID_PUBLIC_KEY) !== Boolean(environment.VAPID_PRIVATE_KEY)) {
    const missing = environment.VAPID_PUBLIC_KEY ? 'VAPID_PRIVATE_KEY' : 'VAPID_PUBLIC_KEY';
    found.push([missing, 'a value, because its other half is set']);
  }
  return found;
}

function refuse(wrong: readonly (readonly [string, string])[]): never {
  const fields: FieldErrors = {};
  for (const [name, expected] of wrong) (fields[name] ??= []).push(expected);
  const lines = wrong.map(([name, expected]) => `${name}: expected ${expected}.`);
  throw new AppError('INVALID_INPUT', ['A setting is wrong.', ...lines].join('\n'), { fields });
}

/**
 * Reads the settings from an environment.
 * @throws AppError INVALID_INPUT that names each wrong setting and what was expected; values are never repeated,
 * since some of them are secrets.
 */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success)
    refuse(parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message] as const));
  const values = parsed.data;
  const appUrl = values.APP_URL ?? `http://localhost:${values.PORT}`;
  const billing = billingMode(values, appUrl);
  const wrong = conflicts(values, billing, appUrl);
  if (wrong.length > 0) refuse(wrong);
  return { ...values, APP_URL: appUrl, BILLING: billing };
}

/**
 * What may be meant but more likely is a mistake, as sentences for the log at the start. With Stripe's test keys a site
 * takes cards that cost nobody anything and gives Premium for them.
 */
export function doubtsAbout({ BILLING, STRIPE_SECRET_KEY, APP_URL }: Settings): string[] {
  const isTestKey = /^(sk|rk)_test_/.test(STRIPE_SECRET_KEY ?? '');
  return BILLING === 'stripe' && isTestKey && APP_URL.startsWith('https:')
    ? ['STRIPE_SECRET_KEY is a test key: Premium is sold for test cards, which anybody can make up.']
    : [];
}
