import type { PreferredDoseUnit } from '#app/domain/accounts/profile.ts';
import type { SyringeId } from '#app/domain/calculator/calculation.ts';
import type { Role } from '#app/domain/accounts/account.ts';
import type { Log } from '#app/domain/log.ts';
import type { Entitlement } from '#app/domain/billing/plans.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import type { RemoteTexts } from '#app/integrations/remote-text.server.ts';
import type { OutgoingPosts } from '#app/integrations/outgoing.server.ts';
import type { Payments } from '#app/integrations/payments.server.ts';
import type { Mailer } from '#app/integrations/mail.server.ts';
import type { PushSender } from '#app/integrations/push.server.ts';
import type { Repositories } from '#models/index.server.ts';
import type { MailQueue } from '#app/platform/mail/mail-queue.server.ts';
import type { ServerControl } from '#app/platform/process-control.server.ts';
import { createThrottle, type Throttle } from './throttle.server.ts';

/** Somebody without a session. */
export interface Visitor {
  kind: 'visitor';
}

/** A signed-in user, as of this request. */
export interface SignedInUser {
  kind: 'user';
  id: string;
  email: string;
  role: Role;
  entitlement: Entitlement;
  /** Names the sign-in, also after its secret was rotated. Not a secret. */
  sessionId: string;
  /** When the password was last entered in this session. */
  authenticatedAt: Date;
  /** They have opened the link that was mailed to their address. */
  hasConfirmedEmail: boolean;
  /** True for an admin who has to set up a second factor before using the admin area. */
  lacksSecondFactor: boolean;
  /** When their account will be deleted; null unless they have asked for it. */
  deleteAfter: Date | null;
  /** The unit they enter doses in. */
  doseUnit: PreferredDoseUnit;
  /** What they draw with. */
  syringe: SyringeId;
  /** IANA name. */
  timeZone: string;
  /** Set when the call came with a personal token instead of a session; `sessionId` then names no session. */
  apiToken?: { id: string; scope: 'read' | 'write' };
}

/** Somebody at a terminal of this machine, who could read the data files anyway. */
export interface CommandLineUser {
  kind: 'cli';
  osUser: string;
}

export type Actor = Visitor | SignedInUser | CommandLineUser;

/** Where a call comes from. */
export interface Client {
  /** Network address, or `terminal`. */
  address: string;
  userAgent: string | null;
}

/** What every operation gets: who calls, from where, when, and what it may use. */
export interface Ctx {
  actor: Actor;
  client: Client;
  now(): Date;
  /** The zone in which this call counts days, an IANA name. */
  timeZone: string;
  repos: Repositories;
  throttle: Throttle;
  log: Log;
  /** Signs what browsers store for us, and encrypts secrets that have to be read again. */
  secret: string;
  /** Origin of this site for links in mails. It comes from the settings, never from a request. */
  appUrl: string;
  mailQueue: MailQueue;
  remoteTexts: RemoteTexts;
  /** To addresses that users name. */
  outgoing: OutgoingPosts;
  payments: Payments;
  /** For mails whose sending has to be waited for; all others go to the mail queue. */
  mailer: Mailer;
  push: PushSender;
  /** This process itself. */
  server: ServerControl;
}

/** What a process has, independent of the caller. */
export interface Resources {
  repos: Repositories;
  settings: Pick<Settings, 'RATE_LIMIT_FACTOR' | 'APP_URL'>;
  log: Log;
  /** See `loadSessionSecret`. */
  secret: string;
  mailQueue: MailQueue;
  remoteTexts: RemoteTexts;
  outgoing: OutgoingPosts;
  payments: Payments;
  mailer: Mailer;
  push: PushSender;
  server: ServerControl;
  /** The clock; tests move it. */
  now?: () => Date;
}

/** Who calls, from where. */
export interface Caller {
  actor: Actor;
  client: Client;
  /** For callers without an account; a signed-in user's own zone takes precedence. */
  timeZone?: string;
  /** The request's own log. */
  log?: Log;
}

/** Makes the context of each call from what the process has. */
export function contextFactory(resources: Resources): (caller: Caller) => Ctx {
  const now = resources.now ?? (() => new Date());
  const throttle = createThrottle(resources.repos, resources.settings.RATE_LIMIT_FACTOR, now);
  return ({ actor, client, timeZone = 'UTC', log = resources.log }) => ({
    actor,
    client,
    now,
    timeZone: actor.kind === 'user' ? actor.timeZone : timeZone,
    repos: resources.repos,
    throttle,
    log,
    secret: resources.secret,
    appUrl: resources.settings.APP_URL,
    mailQueue: resources.mailQueue,
    remoteTexts: resources.remoteTexts,
    outgoing: resources.outgoing,
    payments: resources.payments,
    mailer: resources.mailer,
    push: resources.push,
    server: resources.server,
  });
}

/** The same context for somebody else, for example after sign-in. */
export function contextAs(ctx: Ctx, actor: Actor): Ctx {
  return { ...ctx, actor, timeZone: actor.kind === 'user' ? actor.timeZone : ctx.timeZone };
}
