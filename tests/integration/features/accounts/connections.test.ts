import { createHash } from 'node:crypto';
import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listApiTokens, resolveApiToken, revokeApiToken } from '#app/features/accounts/api-tokens.server.ts';
import {
  answerConnectionRequest,
  readConnectionRequest,
  resolveConnection,
} from '#app/features/accounts/connections.server.ts';
import {
  giveTokens,
  registerProgram,
  revokeConnection,
} from '#app/features/accounts/program-connections.server.ts';
import { askForPasswordReset, resetPassword } from '#app/features/accounts/password-change.server.ts';
import { changeUser } from '#app/features/admin/users/user-changes.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { newPerson, PASSWORD, type Person } from '#tests/support/people.ts';

const DAY = 86_400_000;
const REDIRECT = 'http://127.0.0.1:7001/callback?from=vialbook';
const VERIFIER = 'a-verifier-of-at-least-forty-three-characters-0123456789';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

let db: TestDatabase;
let clientId: string;
let people = 0;
let ada: Person;
beforeAll(async () => {
  db = await openTestDatabase();
  clientId = await register();
});
afterAll(() => db.dispose());
beforeEach(async () => {
  people += 1;
  ada = await newPerson(db, `connected-${people}@example.org`);
});

async function register(more: object = {}): Promise<string> {
  const address = `192.0.2.${(people += 1) % 250}`;
  const ctx = db.ctx({ kind: 'visitor' }, { address });
  const metadata = { client_name: 'Assistant', redirect_uris: [REDIRECT], ...more };
  return (await registerProgram(ctx, metadata)).client_id;
}

const asked = (more: Record<string, string> = {}) =>
  new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    scope: 'read write',
    state: 'xyz',
    resource: `${db.ctx().appUrl}/mcp`,
    ...more,
  });

async function codeFor(person: Person, scope: 'read' | 'write' = 'write', more = {}): Promise<string> {
  const address = await answerConnectionRequest(person.ctx, asked(more), { intent: 'allow', scope });
  return new URL(address).searchParams.get('code') ?? expect.unreachable(address);
}

const exchange = (code: string, more: Record<string, string> = {}) =>
  giveTokens(
    db.ctx(),
    new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: REDIRECT,
      code,
      code_verifier: VERIFIER,
      ...more,
    }),
  );

const renew = (token = '', more: Record<string, string> = {}) =>
  giveTokens(
    db.ctx(),
    new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...more }),
  );

const opens = async (token: string) => (await resolveConnection(db.ctx(), token)) !== null;

/** The OAuth error code with which a call is refused. */
const refusalOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'accepted',
    (error: unknown) => (error instanceof OAuthError ? error.errorCode : codeOfError(error)),
  );
const codeOfError = (error: unknown) => String((error as { code?: string }).code ?? error);

describe('registering a program', () => {
  it.for([
    ['http://example.org/back', 'http beyond this machine'],
    ['https://example.org/back#part', 'a fragment'],
    ['https://ada:pw@example.org/', 'credentials'],
    ['javascript:alert(1)', 'no web address'],
    ['myapp://back', 'a scheme of its own'],
  ] as const)('is refused with %s: %s', async ([uri]) => {
    expect(await refusalOf(register({ redirect_uris: [uri] }))).toBe('invalid_client_metadata');
  });

  it('is refused without an address or with many, and stores nothing', async () => {
    const before = await testConnection(db).collection('api_tokens').countDocuments();
    for (const uris of [[], Array.from({ length: 6 }, (_, at) => `https://example.org/${at}`)])
      expect(await refusalOf(register({ redirect_uris: uris }))).toBe('invalid_client_metadata');
    expect(await testConnection(db).collection('api_tokens').countDocuments()).toBe(before);
  });

  it('is limited for each client', async () => {
    const ctx = db.ctx({ kind: 'visitor' }, { address: '198.51.100.7' });
    const metadata = { redirect_uris: [REDIRECT] };
    for (let at = 0; at < 20; at += 1) await registerProgram(ctx, metadata);
    expect(await codeOf(registerProgram(ctx, metadata))).toBe('RATE_LIMITED');
  });

  it('gives an id that nobody else can write, and a name that hides nothing', async () => {
    const id = await register({ client_name: '  Evil\u001b[2J\n\u202eprogram '.padEnd(200, 'x') });
    const request = await readConnectionRequest(ada.ctx, asked({ client_id: id }));
    expect(request).toMatchObject({ host: '127.0.0.1:7001', scope: 'write' });
    expect((request as { name: string }).name).toMatch(/^Evil\[2J program x{40,}$/);
    const forged = `${id.slice(0, -4)}AAAA`;
    expect(await codeOf(readConnectionRequest(ada.ctx, asked({ client_id: forged })))).toBe('INVALID_INPUT');
  });
});

describe('asking the owner', () => {
  it.for([
    [{ redirect_uri: 'http://127.0.0.1:7002/callback?from=vialbook' }],
    [{ redirect_uri: `${REDIRECT}/more` }],
    [{ redirect_uri: 'https://example.org/' }],
    [{ client_id: 'sealed1.none' }],
    [{ client_id: 'none' }],
  ])('sends nobody anywhere for %j', async ([more]) => {
    for (const intent of ['allow', 'deny'] as const)
      expect(await codeOf(answerConnectionRequest(ada.ctx, asked(more), { intent }))).toBe('INVALID_INPUT');
    expect(await codeOf(readConnectionRequest(ada.ctx, asked(more)))).toBe('INVALID_INPUT');
  });

  it.for(['redirect_uri', 'client_id', 'code_challenge', 'state', 'resource'])(
    'sends nobody anywhere when %s has two values, of which one would be checked and the other used',
    async (name) => {
      const value = asked().get(name) ?? '';
      for (const [first, second] of [
        ['https://evil.example/', value],
        [value, 'https://evil.example/'],
      ] as const) {
        const twice = asked();
        twice.delete(name);
        twice.append(name, first);
        twice.append(name, second);
        const answer = answerConnectionRequest(ada.ctx, twice, { intent: 'allow', scope: 'read' });
        expect(await codeOf(answer)).toBe('INVALID_INPUT');
        expect(await codeOf(readConnectionRequest(ada.ctx, twice))).toBe('INVALID_INPUT');
      }
    },
  );

  it.for([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ resource: 'https://elsewhere.example.org/mcp' }, 'invalid_target'],
    [{ scope: 'admin' }, 'invalid_scope'],
  ] as const)('tells the program what is wrong: %j', async ([more, error]) => {
    const request = await readConnectionRequest(ada.ctx, asked(more));
    const { searchParams } = new URL((request as { leaveTo: string }).leaveTo);
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ from: 'vialbook', state: 'xyz', error },
      iss: db.ctx().appUrl,
    });
    expect(await answerConnectionRequest(ada.ctx, asked(more), { intent: 'allow' })).toContain(error);
  });

  it('carries a refusal to the program, and creates nothing', async () => {
    const address = await answerConnectionRequest(ada.ctx, asked(), { intent: 'deny' });
    expect(new URL(address).searchParams.get('error')).toBe('access_denied');
    expect(await listApiTokens(ada.ctx)).toEqual([]);
  });

  it('needs somebody signed in, lately', async () => {
    expect(await codeOf(answerConnectionRequest(db.ctx(), asked(), { intent: 'allow' }))).toBe(
      'UNAUTHENTICATED',
    );
    db.clock.advance(16 * 60_000);
    expect(await codeOf(answerConnectionRequest(ada.ctx, asked(), { intent: 'allow' }))).toBe(
      'RECENT_SIGN_IN_REQUIRED',
    );
  });
});

describe('a connection', () => {
  it('acts for its owner with the scope that they chose, at /mcp alone, and is listed without secrets', async () => {
    const tokens = await exchange(await codeFor(ada, 'read'));
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read' });
    const { actor } = (await resolveConnection(db.ctx(), tokens.access_token)) ?? expect.unreachable();
    expect(actor).toMatchObject({ email: ada.email, apiToken: { scope: 'read' } });
    expect(await resolveApiToken(db.ctx(), tokens.access_token)).toBeNull();
    expect(await opens(tokens.refresh_token ?? '')).toBe(false);
    const [listed] = await listApiTokens(ada.ctx);
    expect(listed).toMatchObject({ name: 'Assistant', scope: 'read', isConnection: true });
    const stored = JSON.stringify(await testConnection(db).collection('api_tokens').find().toArray());
    for (const part of `${tokens.access_token}.${tokens.refresh_token}`
      .split(/[._]/)
      .filter((one) => one.length > 20))
      expect(stored).not.toContain(part);
    const mails = (await db.mails()).filter(({ to }) => to === ada.email);
    expect(mails.at(-1)?.subject).toContain('API token');
  });

  it('has no more scope than the program asked for', async () => {
    expect((await exchange(await codeFor(ada, 'write', { scope: 'read' }))).scope).toBe('read');
  });

  it.for([
    [{ code_verifier: 'another-verifier-of-at-least-forty-three-characters' }, 'invalid_grant'],
    [{ code_verifier: '' }, 'invalid_grant'],
    [{ redirect_uri: 'https://example.org/' }, 'invalid_grant'],
    [{ resource: 'https://elsewhere.example.org/mcp' }, 'invalid_target'],
    [{ client_id: 'none' }, 'invalid_client'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
  ] as const)('does not begin with %j', async ([more, error]) => {
    expect(await refusalOf(exchange(await codeFor(ada), more))).toBe(error);
    expect(await listApiTokens(ada.ctx)).toEqual([]);
  });

  it('does not begin with the code of another program, or a verifier tried again', async () => {
    const code = await codeFor(ada);
    const other = await register();
    expect(await refusalOf(exchange(code, { client_id: other }))).toBe('invalid_grant');
    expect(await refusalOf(exchange(code))).toBe('invalid_grant');
  });

  it('does not begin with an expired code', async () => {
    const code = await codeFor(ada);
    db.clock.advance(61_000);
    expect(await refusalOf(exchange(code))).toBe('invalid_grant');
  });

  it('ends when its code is used a second time', async () => {
    const code = await codeFor(ada);
    const { access_token: token } = await exchange(code);
    expect(await opens(token)).toBe(true);
    expect(await refusalOf(exchange(code))).toBe('invalid_grant');
    expect(await opens(token)).toBe(false);
    expect(await listApiTokens(ada.ctx)).toEqual([]);
  });

  it('gets new tokens for a refresh token, once; a second time ends it', async () => {
    const first = await exchange(await codeFor(ada));
    db.clock.advance(2 * 3_600_000);
    expect(await opens(first.access_token)).toBe(false);
    const second = await renew(first.refresh_token);
    expect([await opens(second.access_token), second.scope]).toEqual([true, 'read write']);
    const other = await register();
    expect(await refusalOf(renew(second.refresh_token, { client_id: other }))).toBe('invalid_grant');
    expect(await refusalOf(renew(second.refresh_token, { resource: 'https://x.example.org/mcp' }))).toBe(
      'invalid_target',
    );
    expect(await opens(second.access_token)).toBe(true);
    expect(await refusalOf(renew(first.refresh_token))).toBe('invalid_grant');
    expect(await opens(second.access_token)).toBe(false);
    expect(await refusalOf(renew(second.refresh_token))).toBe('invalid_grant');
  });

  it('gives its next tokens to only one of several requests', async () => {
    const { refresh_token: token } = await exchange(await codeFor(ada));
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => refusalOf(renew(token))));
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
  });

  it('ends after 90 days without use', async () => {
    const { refresh_token: token } = await exchange(await codeFor(ada));
    db.clock.advance(91 * DAY);
    expect(await refusalOf(renew(token))).toBe('invalid_grant');
  });

  it('ends when the program or its owner revokes it, and with a password that was forgotten', async () => {
    const [first, second, third] = [
      await exchange(await codeFor(ada)),
      await exchange(await codeFor(ada)),
      await exchange(await codeFor(ada)),
    ];
    const form = (token: string, client = clientId) => new URLSearchParams({ client_id: client, token });
    await revokeConnection(db.ctx(), form(first.access_token, await register()));
    await revokeConnection(db.ctx(), form('nothing'));
    expect(await opens(first.access_token)).toBe(true);
    await revokeConnection(db.ctx(), form(first.refresh_token ?? ''));
    expect(await opens(first.access_token)).toBe(false);
    const [newest] = await listApiTokens(ada.ctx);
    const stranger = await newPerson(db, `stranger-${people}@example.org`);
    expect(await codeOf(revokeApiToken(stranger.ctx, newest?.id ?? ''))).toBe('NOT_FOUND');
    await revokeApiToken(ada.ctx, newest?.id ?? '');
    expect([await opens(second.access_token), await opens(third.access_token)].filter(Boolean)).toHaveLength(
      1,
    );
    await askForPasswordReset(db.ctx(), { email: ada.email });
    const mail = (await db.mails()).findLast(({ to }) => to === ada.email);
    const link = /reset-password\/([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
    const password = `${PASSWORD}-new`;
    await resetPassword(db.ctx(), link, { password, confirmPassword: password });
    expect(await listed()).toEqual([]);
    async function listed() {
      const open = [second.access_token, third.access_token];
      return (await Promise.all(open.map(opens))).filter(Boolean);
    }
  });

  it('is closed while its owner is suspended', async () => {
    const { access_token: token } = await exchange(await codeFor(ada));
    await changeUser(db.ctx(TERMINAL), 'suspend', { email: ada.email, reason: 'test' });
    expect(await codeOf(resolveConnection(db.ctx(), token))).toBe('SUSPENDED');
  });
});
