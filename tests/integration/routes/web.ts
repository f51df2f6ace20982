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

/**
 * Starts the built server before the tests of the calling file and stops it after them. Whatever was sent to it, no
 * defect may have been logged.
 * @param env as a function when it is known only once the test's own servers run
 */
export function useWeb(env: Record<string, string> | (() => Record<string, string>) = {}): Web {
  let server: RunningServer;
  beforeAll(async () => {
    const more = typeof env === 'function' ? env() : env;
    server = await startServer({ env: { RATE_LIMIT_FACTOR: '1000', ...more } });
  });
  afterAll(async () => {
    await closeHeld();
    const code = await server.stop();
    expect(defects(server.output())).toEqual([]);
    expect(code).toBe(0);
  });
  return {
    get url() {
      return server.url;
    },
    get dataDir() {
      return server.dataDir;
    },
    get server() {
      return server;
    },
    visitor: () => new WebClient(server.url),
    async user({ email, trial = false } = {}) {
      people += 1;
      const address = email ?? `person-${people}@example.org`;
      const client = new WebClient(server.url);
      await signUp(client, address, trial ? { plan: 'trial' } : {});
      return Object.assign(client, { email: address });
    },
    async registered({ trial = false } = {}) {
      people += 1;
      const email = `person-${people}@example.org`;
      const ctx = (await besideServer(server.dataDir)).ctx(VISITOR, {
        address: '127.0.0.1',
        userAgent: null,
      });
      const { token, deviceToken } = await storePerson(
        ctx,
        registration(email, trial ? { plan: 'trial' } : {}),
      );
      const client = new WebClient(server.url);
      await client.keepSession(token, deviceToken);
      return Object.assign(client, { email });
    },
    async admin(role = 'admin') {
      people += 1;
      const email = `${role}-${people}@example.org`;
      const database = await besideServer(server.dataDir);
      await createAdmin(database.ctx(TERMINAL), { email, password: PASSWORD, role });
      const client = new WebClient(server.url);
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
