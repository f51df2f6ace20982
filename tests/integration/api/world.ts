import { afterAll, beforeAll, expect } from 'vitest';
import type { RegisterInput } from '#app/domain/accounts/account-schema.ts';
import { SILENT_LOG } from '#app/domain/log.ts';
import { parseSettings } from '#app/domain/settings/settings.ts';
import { oneTimeCode } from '#app/integrations/one-time-codes.server.ts';
import { createAdmin } from '#app/features/admin/users/admin-accounts.server.ts';
import { createApiToken } from '#app/features/accounts/api-tokens.server.ts';
import type { Actor, Ctx } from '#app/platform/access/context.server.ts';
import { compose } from '#app/server/composition.server.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
} from '#app/features/accounts/second-factor.server.ts';
import { loadSessionSecret } from '#app/platform/secrets/server-secrets.server.ts';
import { resolveSession } from '#app/features/accounts/sessions.server.ts';
import { VISITOR } from '#tests/support/database.ts';
import { PASSWORD, registration, storePerson } from '#tests/support/people.ts';
import { openDatabase, type Database } from '#models/index.server.ts';
import { useOwnWeb, useWeb, type Web } from '../routes/web.ts';
import { ApiClient } from './client.ts';
import { databaseEnv } from '#tests/support/named-deployment.ts';

/** The built server with users of every kind, for the tests of one file. */
export interface World {
  readonly web: Web;
  nobody(): ApiClient;
  /** A user with a new account. */
  free(): Promise<ApiClient>;
  /** A user in their trial. */
  premium(): Promise<ApiClient>;
  /** An administrator. */
  admin(): Promise<ApiClient>;
  /** A user suspended after signing in. */
  suspended(): Promise<ApiClient>;
  /** A user's personal token. */
  tokenOf(person: ApiClient, scope: 'read' | 'write'): Promise<ApiClient>;
  /** Gives a user a second factor. @returns its secret */
  protect(person: ApiClient): Promise<string>;
  /** The terminal's context on the server's data, for what no call can do. */
  terminal(): Ctx;
}

let people = 0;
const nextEmail = (kind: string) => `api-${kind}-${(people += 1)}@example.org`;

/** A context on a server's data, like that of another process of the same installation. */
function contextOn(
  database: Database,
  { dataDir, secret }: { dataDir: string; secret: string },
  actor: Actor,
): Ctx {
  // Shares the server's secret, so that each can decrypt what the other stored.
  const parts = { settings: parseSettings({ DATA_DIR: dataDir }), log: SILENT_LOG, database, secret };
  const { contextFor } = compose(parts);
  return contextFor({ actor, client: { address: 'terminal', userAgent: null } });
}

/** The built server that files share; with settings, a separate one for the calling file. */
export function useApi(env?: Record<string, string>): World {
  const web = env === undefined ? useWeb() : useOwnWeb(env);
  let database: Database;
  let secret: string;
  // An account can have at most twenty, so each user creates one of each kind.
  const tokens = new Map<string, ReturnType<typeof createApiToken>>();
  beforeAll(async () => {
    secret = await loadSessionSecret(databaseEnv({ DATA_DIR: web.dataDir }));
    database = await openDatabase(parseSettings(databaseEnv({ DATA_DIR: web.dataDir })), SILENT_LOG);
  });
  afterAll(() => database.close());

  const ctxOf = (actor: Actor) => contextOn(database, { dataDir: web.dataDir, secret }, actor);
  const terminal = () => ctxOf({ kind: 'cli', osUser: 'tests' });

  async function ctxOfPerson(person: ApiClient): Promise<Ctx> {
    const resolved = await resolveSession(terminal(), person.token);
    if (resolved === null) throw new Error('the token opens nothing');
    return ctxOf(resolved.actor);
  }

  async function newPerson(kind: string, more: Partial<RegisterInput> = {}): Promise<ApiClient> {
    const email = nextEmail(kind);
    const { token } = await storePerson(ctxOf(VISITOR), registration(email, more));
    return Object.assign(new ApiClient(web.url, token), { email });
  }

  async function signedIn(email: string): Promise<ApiClient> {
    const client = new ApiClient(web.url);
    client.email = email;
    const { body, text } = await client.post('/api/auth/login', { email, password: PASSWORD });
    expect(body.success, text).toBe(true);
    client.token = String(body.data?.['token']);
    return client;
  }

  async function admin(): Promise<ApiClient> {
    const email = nextEmail('admin');
    await createAdmin(terminal(), { email, password: PASSWORD, role: 'admin' });
    return signedIn(email);
  }

  return {
    web,
    terminal,
    admin,
    nobody: () => new ApiClient(web.url),
    free: () => newPerson('free'),
    premium: () => newPerson('premium', { plan: 'trial' }),
    async suspended() {
      const person = await newPerson('suspended');
      const { body } = await person.get('/api/auth/me');
      const { id } = body.data?.['user'] as { id: string };
      const { status } = await (
        await admin()
      ).patch(`/api/admin/users/${id}/status`, { action: 'suspend', reason: 'test' });
      expect(status).toBe(200);
      return person;
    },
    async protect(person) {
      const ctx = await ctxOfPerson(person);
      await beginSecondFactor(ctx);
      const secret = (await getSecondFactor(ctx)).setup?.secret ?? '';
      await confirmSecondFactor(ctx, { code: oneTimeCode(secret, ctx.now()) });
      return secret;
    },
    async tokenOf(person, scope) {
      const key = `${person.email} ${scope}`;
      const known = tokens.get(key);
      const made = known ?? createApiToken(await ctxOfPerson(person), { name: 'Test', scope, life: '30' });
      tokens.set(key, made);
      const client = new ApiClient(web.url, (await made).secret);
      client.email = person.email;
      return client;
    },
  };
}
