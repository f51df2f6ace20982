import { expect } from 'vitest';
import { startSession } from '#app/features/accounts/sessions.server.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { besideServer } from '#tests/support/someone.ts';
import { userIdOf } from '../stored.ts';
import type { WebClient } from '../web-client.ts';
import type { Web } from '../web.ts';

export type Owner = WebClient & { email: string };

/** A person's record, at its address. */
export interface Thing {
  at: string;
  /** A text that its page shows. */
  shows: string;
  /** Whether it is as it was made; a form that is sent there by its owner ends that. */
  isThere(): Promise<boolean>;
  /** The form that its owner sends there; empty for a confirmation. */
  form?: Record<string, string>;
  /** What its owner's form is answered, where that is no redirect: it shows a secret this once. */
  answers?: number;
  /** False where nothing can be sent. */
  takesForms?: boolean;
  /** False where nothing can be opened: a form's address alone. */
  opens?: boolean;
}

/** A route with an id. */
export interface Owned {
  /** A free user's belongs to one sign-in and is hidden from the others. */
  perSession?: boolean;
  /** Only premium users have it: a free one is told so, whosever it is. */
  premium?: boolean;
  make(owner: Owner, web: Web): Promise<Thing>;
}

/** A second session of somebody, without the sign-in. */
export async function sessionBeside(web: Web, email: string): Promise<WebClient> {
  const ctx = (await besideServer(web.dataDir)).ctx();
  const { token } = await startSession(ctx, await userIdOf(web.dataDir, email), { remember: false });
  const client = web.visitor();
  await client.keepSession(token, 'none');
  return client;
}

/** A second session of somebody, who signs in. */
export async function signInAgain(web: Web, email: string): Promise<WebClient> {
  const client = web.visitor();
  expect((await client.post('/login', { email, password: PASSWORD })).status).toBe(302);
  return client;
}

/** Sends a form that makes something and gives the last part of the address that it leads to. */
export async function made(owner: Owner, at: string, form: Record<string, string>): Promise<string> {
  const answer = await owner.post(at, form);
  expect(answer.status, answer.body.slice(0, 300)).toBe(302);
  return answer.location?.split('/').at(-1)?.split('?')[0] ?? expect.unreachable('it leads nowhere');
}
