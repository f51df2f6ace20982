import { describe, expect, it } from 'vitest';
import { isAppError } from '#app/domain/errors.ts';
import {
  settingWarnings,
  isLoopbackAddress,
  isLoopbackHost,
  parseSettings,
} from '#app/domain/settings/settings.ts';

function refusalOf(environment: Record<string, string>): { message: string; fields: string[] } {
  try {
    parseSettings(environment);
  } catch (error) {
    if (isAppError(error)) return { message: error.message, fields: Object.keys(error.fields ?? {}) };
    throw error;
  }
  throw new Error('it was accepted');
}

const PRODUCTION = { NODE_ENV: 'production', MONGODB_URI: 'mongodb://db.example.org/vialbook' };

describe('the settings', () => {
  it('have a default for everything', () => {
    expect(parseSettings({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      DATA_DIR: './data',
      APP_URL: 'http://localhost:3000',
      RATE_LIMIT_FACTOR: 1,
      BILLING: 'test',
      TRUST_PROXY: 0,
      LOG_LEVEL: 'info',
    });
    expect(parseSettings({}).MONGODB_URI).toBeUndefined();
  });

  it('treat empty values as not set, and drop unknown ones', () => {
    const names = [
      'PORT',
      'HOST',
      'DATA_DIR',
      'APP_URL',
      'MONGODB_URI',
      'BILLING',
      'TRUST_PROXY',
      'SMTP_URL',
      'LOG_LEVEL',
    ];
    const empty = Object.fromEntries(names.map((name) => [name, ' ']));
    expect(parseSettings({ ...empty, PATH: '/bin' })).toEqual(parseSettings({}));
  });

  it('use the port in the default address', () => {
    expect(parseSettings({ PORT: '8080' }).APP_URL).toBe('http://localhost:8080');
    expect(parseSettings({ APP_URL: 'https://vials.example.org/' }).APP_URL).toBe(
      'https://vials.example.org',
    );
  });

  it.each([
    [{ PORT: '80a' }, 'PORT', 'a whole number from 0 to 65535'],
    [{ PORT: '65536' }, 'PORT', 'a whole number from 0 to 65535'],
    [{ PORT: '-1' }, 'PORT', 'a whole number'],
    [{ MONGODB_URI: 'postgres://x' }, 'MONGODB_URI', 'begins with mongodb://'],
    [{ APP_URL: 'vials.example.org' }, 'APP_URL', 'such as https://'],
    [{ APP_URL: 'javascript:alert(1)' }, 'APP_URL', 'such as https://'],
    [{ APP_URL: 'https://example.org/app' }, 'APP_URL', 'without a path'],
    [{ RATE_LIMIT_FACTOR: '0' }, 'RATE_LIMIT_FACTOR', 'greater than 0'],
    [{ RATE_LIMIT_FACTOR: 'fast' }, 'RATE_LIMIT_FACTOR', 'greater than 0'],
    [{ SESSION_SECRET: 'short' }, 'SESSION_SECRET', 'at least 32 characters'],
    [{ BILLING: 'paypal' }, 'BILLING', 'one of stripe, test, off'],
    [
      { BILLING: 'test', APP_URL: 'https://vials.example.org' },
      'BILLING',
      'because test mode gives Premium away',
    ],
    [
      { BILLING: 'test', APP_URL: 'http://localhost:3000', HOST: '0.0.0.0' },
      'BILLING',
      'HOST is not loopback',
    ],
    [{ BILLING: 'stripe' }, 'STRIPE_SECRET_KEY', 'because BILLING is stripe'],
    [{ STRIPE_SECRET_KEY: 'pk_1' }, 'STRIPE_SECRET_KEY', 'begins with sk_'],
    [{ STRIPE_WEBHOOK_SECRET: 'x' }, 'STRIPE_WEBHOOK_SECRET', 'begins with whsec_'],
    [{ SMTP_URL: 'http://mail' }, 'SMTP_URL', 'smtp://'],
    [{ VAPID_PUBLIC_KEY: 'x' }, 'VAPID_PRIVATE_KEY', 'because the other VAPID key is set'],
    [{ VAPID_PRIVATE_KEY: 'x' }, 'VAPID_PUBLIC_KEY', 'because the other VAPID key is set'],
    [{ VAPID_SUBJECT: 'me' }, 'VAPID_SUBJECT', 'mailto:'],
    [{ TRUST_PROXY: 'maybe' }, 'TRUST_PROXY', 'number of proxies'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL', 'one of fatal, error'],
    [{ HOST: '0.0.0.0' }, 'APP_URL', 'because HOST is not a loopback address'],
    [PRODUCTION, 'SESSION_SECRET', 'because MONGODB_URI is set in production'],
  ])('refuse %j, naming the setting and what was expected', (environment, name, expected) => {
    const { message, fields } = refusalOf(environment);
    expect(fields).toContain(name);
    expect(message).toContain(`${name}: expected `);
    expect(message).toContain(expected);
  });

  it('list all invalid ones at once and never repeat a value', () => {
    const { message, fields } = refusalOf({
      PORT: 'hunter2',
      SESSION_SECRET: 'hunter2',
      MONGODB_URI: 'hunter2',
    });
    expect(fields.sort()).toEqual(['MONGODB_URI', 'PORT', 'SESSION_SECRET']);
    expect(message).not.toContain('hunter2');
  });

  it('keep passwords where there is no other way to sign in', () => {
    expect(() => parseSettings({ PASSWORD_SIGN_IN: 'off' })).toThrow('PASSWORD_SIGN_IN: expected on');
    const provider = { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'vialbook' };
    expect(parseSettings({ PASSWORD_SIGN_IN: 'off', ...provider }).PASSWORD_SIGN_IN).toBe('off');
  });

  it.each([
    [{}, 'test'],
    [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'stripe'],
    [{ BILLING: 'off', STRIPE_SECRET_KEY: 'sk_test_1' }, 'off'],
    [{ APP_URL: 'https://vials.example.org' }, 'off'],
    [{ APP_URL: 'http://127.0.0.1:3000' }, 'test'],
    [{ APP_URL: 'http://127.0.0.1:3000', HOST: '0.0.0.0' }, 'off'],
  ])('choose the billing of %j', (environment, billing) => {
    expect(parseSettings(environment).BILLING).toBe(billing);
  });

  it.each([
    [{ STRIPE_SECRET_KEY: 'sk_test_1', APP_URL: 'https://vials.example.org' }, 1],
    [{ STRIPE_SECRET_KEY: 'rk_test_1', APP_URL: 'https://vials.example.org' }, 1],
    [{ STRIPE_SECRET_KEY: 'sk_live_1', APP_URL: 'https://vials.example.org' }, 0],
    [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 0],
    [{ BILLING: 'off', STRIPE_SECRET_KEY: 'sk_test_1', APP_URL: 'https://vials.example.org' }, 0],
  ])('warn about a test key on a public site: %j', (environment, doubts) => {
    const said = settingWarnings(parseSettings(environment));
    expect(said).toHaveLength(doubts);
    expect(said.join()).not.toMatch(/[sr]k_/);
  });

  it.each([
    ['mongodb://db.example.org/vialbook?replicaSet=rs', 0],
    ['mongodb://db.example.org/vialbook?replicaSet=rs&w=majority', 0],
    ['mongodb://db.example.org/vialbook?w=1&replicaSet=rs', 1],
    ['mongodb://me:hunter2@db.example.org/vialbook?replicaSet=rs&w=0', 1],
  ])('warn about writes that do not wait for the majority: %s', (uri, doubts) => {
    const said = settingWarnings(
      parseSettings({ ...PRODUCTION, SESSION_SECRET: 'x'.repeat(32), MONGODB_URI: uri }),
    );
    expect(said).toHaveLength(doubts);
    expect(said.join()).not.toContain('hunter2');
  });

  it.each([
    ['true', 1],
    ['on', 1],
    ['2', 2],
    ['false', 0],
    ['0', 0],
  ])('take TRUST_PROXY=%s for %i proxies in front', (text, count) => {
    expect(parseSettings({ TRUST_PROXY: text }).TRUST_PROXY).toBe(count);
  });

  it('allow another host with an APP_URL, and MONGODB_URI in production with a secret', () => {
    expect(parseSettings({ HOST: '0.0.0.0', APP_URL: 'https://vials.example.org' }).HOST).toBe('0.0.0.0');
    expect(parseSettings({ ...PRODUCTION, SESSION_SECRET: 'x'.repeat(32) }).SESSION_SECRET).toHaveLength(32);
    expect(parseSettings({ NODE_ENV: 'production' }).SESSION_SECRET).toBeUndefined();
  });
});

describe('loopback addresses of a connection', () => {
  it.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])('%s is one', (address) =>
    expect(isLoopbackAddress(address)).toBe(true),
  );
  it.each(['', '10.0.0.1', '::ffff:10.0.0.1', '127.0.0.1.example.org', 'fe80::1'])('%s is none', (address) =>
    expect(isLoopbackAddress(address)).toBe(false),
  );
});

describe('loopback hosts', () => {
  it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '::1'])('%s is one', (host) =>
    expect(isLoopbackHost(host)).toBe(true),
  );
  it.each(['0.0.0.0', '192.168.0.1', 'localhost.example.org'])('%s is none', (host) =>
    expect(isLoopbackHost(host)).toBe(false),
  );
});

describe('the settings of providers of sign-ins', () => {
  const house = { OIDC_ISSUER: 'https://id.example.org/realms/home', OIDC_CLIENT_ID: 'vialbook' };

  it('are none by default', () => {
    expect(parseSettings({ OIDC_ISSUER: ' ' }).identityProviders).toEqual([]);
  });

  it('are one for each number, in their order, under their name or else their host', () => {
    const { identityProviders } = parseSettings({
      OIDC_ISSUER_10: 'http://localhost:4000',
      OIDC_CLIENT_ID_10: 'ten',
      OIDC_ISSUER_2: 'https://two.example',
      OIDC_CLIENT_ID_2: 'two',
      OIDC_CLIENT_SECRET_2: 'secret',
      OIDC_NAME_2: '__proto__',
      ...house,
    });
    expect(identityProviders).toEqual([
      { id: 'oidc', name: 'id.example.org', issuer: house.OIDC_ISSUER, clientId: 'vialbook' },
      {
        id: 'oidc-2',
        name: '__proto__',
        issuer: 'https://two.example',
        clientId: 'two',
        clientSecret: 'secret',
      },
      { id: 'oidc-10', name: 'localhost:4000', issuer: 'http://localhost:4000', clientId: 'ten' },
    ]);
  });

  it.each([
    [{ OIDC_ISSUER: house.OIDC_ISSUER }, 'OIDC_CLIENT_ID'],
    [{ OIDC_NAME_2: 'House' }, 'OIDC_ISSUER_2'],
    [{ ...house, OIDC_ISSUER: 'http://id.example.org' }, 'OIDC_ISSUER'],
    [{ ...house, OIDC_ISSUER: 'https://me:secret@id.example.org' }, 'OIDC_ISSUER'],
    [{ ...house, OIDC_ISSUER: 'https://id.example.org/?tenant=1' }, 'OIDC_ISSUER'],
    [{ ...house, OIDC_ISSUER: 'https://id.example.org/.well-known/openid-configuration' }, 'OIDC_ISSUER'],
    [{ OIDC_ISSUER_2: 'id.example.org', OIDC_CLIENT_ID_2: 'two' }, 'OIDC_ISSUER_2'],
    [{ ...house, OIDC_NAME: 'x'.repeat(41) }, 'OIDC_NAME'],
  ])('%j is refused at %s', (environment, name) => {
    expect(refusalOf(environment).fields).toEqual([name]);
  });
});
