import type { PreferredDoseUnit } from '#app/domain/accounts/profile.ts';
import type { OwnSyringe, SyringeChoice } from '#app/domain/calculator/calculation.ts';
import type { Role } from '#app/domain/accounts/account.ts';
import type { Log } from '#app/domain/log.ts';
import type { Entitlement } from '#app/domain/billing/plans.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import type { IdentityProviders } from '#app/integrations/identity-providers.server.ts';
import type { RemoteTexts } from '#app/integrations/remote-text.server.ts';
import type { OutgoingPosts } from '#app/integrations/outgoing.server.ts';
import type { Payments } from '#app/integrations/payments.server.ts';
import type { Mailer } from '#app/integrations/mail.server.ts';
import type { PushSender } from '#app/integrations/push.server.ts';
import { RepositoryStore } from './repository-store.server.ts';
import type { Repositories, Transaction } from '#models/index.server.ts';
import type { MailQueue } from '#app/platform/mail/mail-queue.server.ts';
import type { ServerControl } from '#app/platform/process-control.server.ts';
import { createThrottle, type Throttle } from './throttle.server.ts';

/** A caller without a session. */
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
  /** Identifies the sign-in, even after its secret was rotated. Not a secret. */
  sessionId: string;
  /** When the password was last entered in this session. */
  authenticatedAt: Date;
  /** True once the user has opened the link mailed to their address. */
  hasConfirmedEmail: boolean;
  /** True for an admin who must set up a second factor before using the admin area. */
  lacksSecondFactor: boolean;
  /** When the account will be deleted; null unless requested. */
  deleteAfter: Date | null;
  /** The unit they enter doses in. */
  doseUnit: PreferredDoseUnit;
  /** The syringe they draw with. */
  syringe: SyringeChoice;
  /** Their own ones, which only they can choose. */
  syringes: readonly OwnSyringe[];
  /** IANA name. */
  timeZone: string;
  /** Set for calls with a personal token instead of a session; `sessionId` is then not a session. */
  apiToken?: { id: string; scope: 'read' | 'write' };
}

/** The caller's own syringes. */
export const syringesOf = ({ actor }: Pick<Ctx, 'actor'>): readonly OwnSyringe[] =>
  actor.kind === 'user' ? actor.syringes : [];

/** A terminal user of this machine, who could read the data files anyway. */
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

/** What every operation gets: the caller, the time, and the resources it may use. */
export interface Ctx {
  actor: Actor;
  client: Client;
  now(): Date;
  /** The zone for calendar days in this call, an IANA name. */
  timeZone: string;
  /** Reached by what each room declares, see `declareRepositories`. */
  repos: RepositoryStore;
  /** Runs an act that changes several documents: with everything it writes, or not at all. */
  transaction: Transaction;
  throttle: Throttle;
  log: Log;
  /** Signs what browsers store for us, and encrypts secrets that we must be able to read. */
  secret: string;
  /** Origin of this site, for links in mails. From the settings, never from a request. */
  appUrl: string;
  mailQueue: MailQueue;
  remoteTexts: RemoteTexts;
  /** Sends to addresses that users choose. */
  outgoing: OutgoingPosts;
  /** Where people can sign in besides here, by OpenID Connect. */
  identityProviders: IdentityProviders;
  /** False where only administrators have passwords, and everybody else signs in elsewhere. */
  hasPasswords: boolean;
  payments: Payments;
  /** False on a server that sells nothing: everybody has everything, and no price, trial or referral is shown. */
  isSelling: boolean;
  /** Who may create an account: anybody, who has an invitation, or nobody. */
  signUp: Settings['SIGN_UP'];
  /** For what is an outbox of its own, such as reminders; all other mails go to the mail queue. */
  mailer: Mailer;
  push: PushSender;
  /** This process itself. */
  server: ServerControl;
}

/** The resources of a process, independent of the caller. */
export interface Resources {
  repos: Repositories;
  transaction: Transaction;
  settings: Pick<Settings, 'RATE_LIMIT_FACTOR' | 'APP_URL' | 'BILLING' | 'SIGN_UP' | 'PASSWORD_SIGN_IN'>;
  log: Log;
  /** See `loadSessionSecret`. */
  secret: string;
  mailQueue: MailQueue;
  remoteTexts: RemoteTexts;
  outgoing: OutgoingPosts;
  identityProviders: IdentityProviders;
  payments: Payments;
  mailer: Mailer;
  push: PushSender;
  server: ServerControl;
  /** The clock; tests move it. */
  now?: () => Date;
}

export interface Caller {
  actor: Actor;
  client: Client;
  /** For callers without an account; a signed-in user's own zone takes precedence. */
  timeZone?: string;
  /** The request's own log. */
  log?: Log;
}

/** Creates the context of each call from the process's resources. */
export function contextFactory(resources: Resources): (caller: Caller) => Ctx {
  const now = resources.now ?? (() => new Date());
  const repos = new RepositoryStore(resources.repos);
  const throttle = createThrottle(resources.repos, resources.settings.RATE_LIMIT_FACTOR, now);
  return ({ actor, client, timeZone = 'UTC', log = resources.log }) => ({
    actor,
    client,
    now,
    timeZone: actor.kind === 'user' ? actor.timeZone : timeZone,
    repos,
    transaction: resources.transaction,
    throttle,
    log,
    secret: resources.secret,
    appUrl: resources.settings.APP_URL,
    mailQueue: resources.mailQueue,
    remoteTexts: resources.remoteTexts,
    outgoing: resources.outgoing,
    identityProviders: resources.identityProviders,
    hasPasswords: resources.settings.PASSWORD_SIGN_IN === 'on',
    payments: resources.payments,
    isSelling: resources.settings.BILLING !== 'off',
    signUp: resources.settings.SIGN_UP,
    mailer: resources.mailer,
    push: resources.push,
    server: resources.server,
  });
}

/** The same context for another actor, for example after sign-in. */
export function contextAs(ctx: Ctx, actor: Actor): Ctx {
  return { ...ctx, actor, timeZone: actor.kind === 'user' ? actor.timeZone : ctx.timeZone };
}
