import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { createAdmin } from '#app/features/admin/users/admin-accounts.server.ts';
import { TERMINAL, VISITOR } from '#tests/support/database.ts';
import { closeHeld } from '#tests/support/held-open.ts';
import { startServer, type RunningServer } from '#tests/support/server.ts';
import { PASSWORD, registration, storePerson } from '#tests/support/people.ts';
import { besideServer } from '#tests/support/someone.ts';
import { WebClient, type Answer, type FormFields } from './web-client.ts';

/** The built server, for the tests of one file. */
export interface Web {
  readonly url: string;
  readonly dataDir: string;
  readonly server: RunningServer;
  /** A browser that was never here. */
  visitor(): WebClient;
  /** A browser with a new account signed in. */
  user(options?: { email?: string; trial?: boolean }): Promise<WebClient & { email: string }>;
  /** The same with an account that is there already: ten times as fast as signing up, for files that need many. */
  registered(options?: { trial?: boolean }): Promise<WebClient & { email: string }>;
  /** A browser with a new administrator signed in at the admin door. */
  admin(role?: 'admin' | 'super_admin'): Promise<WebClient & { email: string }>;
}

let people = 0;

/** A valid registration form, by the names of its controls. */
export function registerForm(email: string, more: FormFields = {}): FormFields {
  return {
    email,
    password: PASSWORD,
    confirmPassword: PASSWORD,
    agreeToTerms: 'on',
    ageVerification: 'on',
    ...more,
  };
}

/** A valid calculation in save mode. */
export function calculationForm(more: FormFields = {}): FormFields {
  return {
    solveFor: 'volume',
    peptideAmount: '5',
    waterVolume: '2',
    desiredDose: '250',
    desiredDoseUnit: 'mcg',
    syringe: 'u100-1ml',
    mode: 'save',
    ...more,
  };
}

/** Lines of the log that tell of a defect: errors that nobody threw on purpose, and answers of 500 and more. */
export function defects(output: string): string[] {
  return output.split('\n').filter((line) => /^\{"level":(50|60),/.test(line) || /^\s+at /.test(line));
}

/** Registers an account in this browser. */
export async function signUp(client: WebClient, email: string, more: FormFields = {}): Promise<Answer> {
  const answer = await client.post('/register', registerForm(email, more));
  expect(answer.status, answer.body.slice(0, 200)).toBe(302);
  return answer;
}

/** For hundreds of requests from one machine within minutes. */
const UNHURRIED = { RATE_LIMIT_FACTOR: '1000' };

/** The server that files of this worker share: starting one costs as much as the tests of most of them. */
let shared: Promise<RunningServer> | undefined;

function sharedServer(): Promise<RunningServer> {
  shared ??= startServer({ env: UNHURRIED }).then((server) => {
    process.once('exit', () => server.process.kill('SIGTERM'));
    // The worker is ended by a signal, which by itself leaves no time for "exit".
    process.once('SIGTERM', () => process.exit());
    return server;
  });
  return shared;
}

/**
 * The built server, shared with other files: for tests that look at their own accounts and addresses only. Whatever was
 * sent to it, no defect may have been logged.
 */
export function useWeb(): Web {
  let server: RunningServer;
  let before = '';
  beforeAll(async () => {
    server = await sharedServer();
    before = server.output();
  });
  afterAll(async () => {
    // What it logged is here once it has answered again.
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(defects(server.output().slice(before.length))).toEqual([]);
  });
  return webOf(() => server);
}

/**
 * A built server of the calling file's own, started before its tests and stopped after them: with settings of its own,
 * or for tests that look at the whole of it. Whatever was sent to it, no defect may have been logged.
 * @param env as a function when it is known only once the test's own servers run
 */
export function useOwnWeb(env: Record<string, string> | (() => Record<string, string>) = {}): Web {
  let server: RunningServer;
  beforeAll(async () => {
    const more = typeof env === 'function' ? env() : env;
    server = await startServer({ env: { ...UNHURRIED, ...more } });
  });
  afterAll(async () => {
    await closeHeld();
    const code = await server.stop();
    expect(defects(server.output())).toEqual([]);
    expect(code).toBe(0);
  });
  return webOf(() => server);
}

function webOf(running: () => RunningServer): Web {
  return {
    get url() {
      return running().url;
    },
    get dataDir() {
      return running().dataDir;
    },
    get server() {
      return running();
    },
    visitor: () => new WebClient(running().url),
    async user({ email, trial = false } = {}) {
      people += 1;
      const address = email ?? `person-${people}@example.org`;
      const client = new WebClient(running().url);
      await signUp(client, address, trial ? { plan: 'trial' } : {});
      return Object.assign(client, { email: address });
    },
    async registered({ trial = false } = {}) {
      people += 1;
      const email = `person-${people}@example.org`;
      const ctx = (await besideServer(running().dataDir)).ctx(VISITOR, {
        address: '127.0.0.1',
        userAgent: null,
      });
      const { token, deviceToken } = await storePerson(
        ctx,
        registration(email, trial ? { plan: 'trial' } : {}),
      );
      const client = new WebClient(running().url);
      await client.keepSession(token, deviceToken);
      return Object.assign(client, { email });
    },
    async admin(role = 'admin') {
      people += 1;
      const email = `${role}-${people}@example.org`;
      const database = await besideServer(running().dataDir);
      await createAdmin(database.ctx(TERMINAL), { email, password: PASSWORD, role });
      const client = new WebClient(running().url);
      const answer = await client.post('/admin/login', { email, password: PASSWORD });
      expect([answer.status, answer.location]).toEqual([302, '/admin/dashboard']);
      return Object.assign(client, { email });
    },
  };
}

/** The path of the last link to confirm an address in the mails to it, from the folder they are written to without SMTP. */
export async function confirmLink({ dataDir }: Pick<Web, 'dataDir'>, email: string): Promise<string> {
  const folder = path.join(dataDir, 'mail');
  let link = '';
  await expect
    .poll(async () => {
      for (const file of (await readdir(folder).catch(() => [])).sort()) {
        const text = (await readFile(path.join(folder, file), 'utf8')).replace(/=\r\n/g, '');
        if (text.includes(`To: ${email}`)) link = /\/confirm-email\/[A-Za-z0-9_-]+/.exec(text)?.[0] ?? link;
      }
      return link;
    })
    .not.toBe('');
  return link;
}
