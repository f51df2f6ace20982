import { ACCESS_MESSAGES } from '#app/domain/messages.ts';
import {
  EMAIL_NOT_CONFIRMED,
  isAdminRole,
  SECOND_FACTOR_REQUIRED,
  type Role,
  isRecentSignIn,
  isDemoAddress,
} from '#app/domain/accounts/account.ts';
import { AppError } from '#app/domain/errors.ts';
import type { Actor, CommandLineUser, SignedInUser, Ctx } from './context.server.ts';

/** What permission depends on, besides the actor. */
export interface Resource {
  /** Whose data it is. */
  ownerId?: string;
  ownerIsPremium?: boolean;
  /** The account that an admin changes. */
  subject?: { id: string; role: Role };
}

type Verdict =
  | 'yes'
  | 'sign-in'
  | 'premium'
  | 'no-session'
  | 'confirm-email'
  | 'demo'
  | 'second-factor'
  | 'read-only'
  | 'token'
  | 'self'
  | 'no-admin'
  | 'no';
type Rule = (actor: Actor, resource: Resource) => Verdict;

const anyone: Rule = () => 'yes';
const signedIn: Rule = (actor) => (actor.kind === 'user' ? 'yes' : 'sign-in');
/** A user with a session, so that a personal token can neither create nor revoke tokens. */
const inPerson: Rule = (actor) => {
  if (actor.kind !== 'user') return 'sign-in';
  return actor.apiToken === undefined ? 'yes' : 'no';
};
const terminal: Rule = (actor) => (actor.kind === 'cli' ? 'yes' : 'no');

/** The owner, or a terminal user acting for them. */
const owner: Rule = (actor, { ownerId }) => {
  if (actor.kind === 'cli') return 'yes';
  if (actor.kind === 'visitor') return 'sign-in';
  return actor.id === ownerId ? 'yes' : 'no';
};

/** The owner of a premium account, also when the terminal acts for them. */
const premiumOwner: Rule = (actor, resource) => {
  const verdict = owner(actor, resource);
  if (verdict !== 'yes') return verdict;
  return resource.ownerIsPremium === true ? 'yes' : 'premium';
};

/** The same, where a free account's rows live in a session: a personal token has none. */
const ownerWithSession: Rule = (actor, resource) => {
  const verdict = owner(actor, resource);
  const isToken = actor.kind === 'user' && actor.apiToken !== undefined;
  return verdict === 'yes' && isToken && resource.ownerIsPremium !== true ? 'no-session' : verdict;
};

/** A user with a confirmed email, for what reaches other people. */
const confirmed =
  (rule: Rule): Rule =>
  (actor, resource) => {
    const verdict = rule(actor, resource);
    if (verdict !== 'yes' || actor.kind !== 'user') return verdict;
    return actor.hasConfirmedEmail ? 'yes' : 'confirm-email';
  };

/** True for users of a demo account. */
export const isInDemo = (actor: Actor): boolean => actor.kind === 'user' && isDemoAddress(actor.email);

/**
 * Not in a demo: for everything that sends something off this machine, gives others access, or needs a password, which a
 * demo does not have.
 */
const outsideDemo =
  (rule: Rule): Rule =>
  (actor, resource) => {
    const verdict = rule(actor, resource);
    return verdict === 'yes' && isInDemo(actor) ? 'demo' : verdict;
  };

const admin: Rule = (actor) => {
  if (actor.kind === 'cli') return 'yes';
  if (actor.kind === 'visitor') return 'sign-in';
  // Personal tokens are copied into scripts; administrators act in person.
  if (!isAdminRole(actor.role)) return 'no-admin';
  if (actor.apiToken !== undefined) return 'token';
  return actor.lacksSecondFactor ? 'second-factor' : 'yes';
};

/** Limits personal tokens to their scope. */
const writer: Rule = (actor) =>
  actor.kind === 'user' && actor.apiToken?.scope === 'read' ? 'read-only' : 'yes';

/** With a session, not a personal token. */
const inSession: Rule = (actor) => (actor.kind === 'user' && actor.apiToken !== undefined ? 'token' : 'yes');

/** The same, for actions of an owner. */
const bySession =
  (rule: Rule): Rule =>
  (actor, resource) => {
    const verdict = rule(actor, resource);
    return verdict === 'yes' ? inSession(actor, resource) : verdict;
  };

/** Admins may change users, super admins also admins; nobody themselves. */
const adminOver: Rule = (actor, resource) => {
  const verdict = admin(actor, resource);
  if (verdict !== 'yes' || actor.kind !== 'user') return verdict;
  if (resource.subject === undefined) return 'no';
  if (resource.subject.id === actor.id) return 'self';
  return actor.role === 'super_admin' || resource.subject.role === 'user' ? 'yes' : 'no';
};

/** Super admins may change everyone but themselves. */
const superAdminOver: Rule = (actor, resource) => {
  const verdict = adminOver(actor, resource);
  if (verdict !== 'yes' || actor.kind !== 'user') return verdict;
  return actor.role === 'super_admin' ? 'yes' : 'no';
};

/** Only super admins, for what affects everyone's data at once. */
const superAdmin: Rule = (actor, resource) => {
  const verdict = admin(actor, resource);
  if (verdict !== 'yes' || actor.kind !== 'user') return verdict;
  return actor.role === 'super_admin' ? 'yes' : 'no';
};

/** The policy: who may do what to what. Nothing else in the program decides permissions. */
const POLICY = {
  'account.invite': admin,
  'account.register': anyone,
  'account.read': signedIn,
  'account.change': signedIn,
  'account.change-password': outsideDemo(signedIn),
  'account.confirm-password': signedIn,
  'account.delete': outsideDemo(signedIn),
  'account.keep': outsideDemo(signedIn),
  'account.download': signedIn,
  'account.read-access-log': signedIn,
  'account.open-to-program': terminal,
  'account.purge': terminal,
  'announcement.dismiss': signedIn,
  'announcement.list': admin,
  'announcement.manage': admin,
  'announcement.read': signedIn,
  'api-token.create': outsideDemo(inPerson),
  'api-token.manage': inPerson,
  'second-factor.manage': signedIn,
  'passkey.list': inPerson,
  'passkey.manage': inPerson,
  'identity.list': inPerson,
  'identity.manage': outsideDemo(inPerson),
  'account.change-email': outsideDemo(signedIn),
  'account.confirm-email': outsideDemo(signedIn),
  'email.confirm': anyone,
  'profile.read': owner,
  'profile.change': owner,
  'notification-choices.change': signedIn,
  'notification-choices.read': owner,
  // Also without Premium, so that users can view and remove what they have set up.
  'ntfy.read': owner,
  // What sends an account's data elsewhere is set by its owner in person, after a recent sign-in: a token that leaked must
  // not leave anything behind that outlives it.
  'ntfy.set': outsideDemo(bySession(premiumOwner)),
  'ntfy.test': outsideDemo(premiumOwner),
  'password.reset': anyone,
  'referral.make-code': outsideDemo(confirmed(signedIn)),
  'referral.read': signedIn,
  // Part of registration, which is open to everyone.
  'referral.begin': anyone,
  // Triggered by a signed event of the payment provider.
  'referral.apply-payment': anyone,
  'referral.end-credit': admin,
  'schedule.make-all-doses': terminal,
  'schedule.make-doses': owner,
  'schedule.manage': premiumOwner,
  'calendar-feed.change': outsideDemo(premiumOwner),
  'calendar-feed.find': premiumOwner,
  // Anyone with the address, which is secret.
  'calendar-feed.read': anyone,
  'calendar-feed.remove': signedIn,
  'offline.keep': inPerson,
  'offline.write': inPerson,
  'proposal.create': signedIn,
  'proposal.read': signedIn,
  'proposal.decline': signedIn,
  // A program's proposal can only be accepted by the account's owner, on the page.
  'proposal.accept': inPerson,
  'push.manage': signedIn,
  'push.subscribe': outsideDemo(bySession(premiumOwner)),
  'push.test': outsideDemo(premiumOwner),
  // Whoever was sent the push, which is the only place of its secret.
  'push.confirm': anyone,
  'reminder.act': anyone,
  'reminder.read': premiumOwner,
  'reminder.change': premiumOwner,
  'reminder.work': terminal,
  'webhook.set': outsideDemo(bySession(premiumOwner)),
  'webhook.send': outsideDemo(premiumOwner),
  // Also without Premium, so that users can view and remove what they have set up.
  'webhook.read': owner,
  'webhook.remove': owner,
  // Triggered by changes to the owner's data.
  'webhook.record': owner,
  'webhook.work': terminal,
  'backup.work': terminal,
  'report.read': premiumOwner,
  'report.share': premiumOwner,
  'report.create-share': outsideDemo(confirmed(premiumOwner)),
  // Anyone with the link. The stored link says what it opens, and until when.
  'report.open-shared': anyone,
  'session.start': anyone,
  'session.manage': owner,
  'session.end': anyone,
  'session.end-all': adminOver,
  'session.clear': terminal,
  'trial.start': signedIn,
  'demo.start': anyone,
  'demo.fill': terminal,
  'demo-interest.keep': anyone,
  'billing-admin.read': admin,
  'billing-admin.change': admin,
  'billing.buy': outsideDemo(signedIn),
  'billing.cancel-closed': terminal,
  'billing.end': admin,
  'billing.manage': outsideDemo(signedIn),
  'billing.read': signedIn,
  // The payment provider signs its events; it has no account here.
  'billing.receive': anyone,
  'billing.shift-renewals': terminal,
  'billing.use-test-pages': outsideDemo(signedIn),
  'calculation.save': ownerWithSession,
  'calculation.read': owner,
  'calculation.remove': owner,
  'vial.read': owner,
  'vial.change': owner,
  'stock.draw': owner,
  'ceiling.read': owner,
  'ceiling.change': owner,
  'dose.read': premiumOwner,
  'dose.change': premiumOwner,
  'dose.sweep': terminal,
  'export.run': owner,
  'flag.read': admin,
  'flag.switch': admin,
  'import.run': owner,
  'import.calculations': ownerWithSession,
  'import.recover': terminal,
  'import.premium-types': premiumOwner,
  'export.premium-types': premiumOwner,
  'site.record-dose': owner,
  'tracking.manage': premiumOwner,
  'premium-area.open': premiumOwner,
  'analytics.read': premiumOwner,
  'vendor.manage': premiumOwner,
  'vendor.fetch-catalogue': outsideDemo(premiumOwner),
  'system.act': admin,
  'system.breach-report': terminal,
  'system.compact': terminal,
  'system.download-backup': superAdmin,
  'system.migrate': terminal,
  'system.prune-backups': terminal,
  'system.read': admin,
  'system.restore': terminal,
  'system.stream-backup': terminal,
  'system.trim-logs': terminal,
  'system.trim-audit': terminal,
  'system.clear-expired': terminal,
  'api.call': signedIn,
  'api.call-of-session': inSession,
  'api.call-of-premium': premiumOwner,
  'api.call-of-admin': admin,
  'api.write': writer,
  'admin.count': terminal,
  'admin.create': terminal,
  'admin.open': admin,
  'admin.stats': admin,
  'admin.worker': admin,
  'admin.find-account': admin,
  'admin.view-account': admin,
  'admin.list-users': admin,
  'admin.export-users': admin,
  'admin.read-audit': admin,
  'admin.change-status': adminOver,
  'admin.change-plan': adminOver,
  'admin.change-locks': adminOver,
  'admin.change-role': superAdminOver,
  'admin.delete-account': superAdminOver,
} as const satisfies Record<string, Rule>;

export type Action = keyof typeof POLICY;

const REFUSALS = {
  'sign-in': () => new AppError('UNAUTHENTICATED', 'Please sign in first.'),
  premium: () => new AppError('PREMIUM_REQUIRED', 'Premium users only'),
  'no-session': () =>
    new AppError(
      'PREMIUM_REQUIRED',
      'On the free plan, calculations belong to a sign-in session, which API tokens do not have.',
    ),
  'confirm-email': () => new AppError('EMAIL_NOT_CONFIRMED', EMAIL_NOT_CONFIRMED),
  demo: () => new AppError('NOT_IN_DEMO', ACCESS_MESSAGES.notInDemo),
  'second-factor': () => new AppError('SECOND_FACTOR_SETUP_REQUIRED', SECOND_FACTOR_REQUIRED),
  'read-only': () => new AppError('FORBIDDEN', 'This token has read access only.'),
  token: () => new AppError('FORBIDDEN', 'This call needs a session token, not a personal token.'),
  self: () => new AppError('FORBIDDEN', 'You cannot do this to your own account.'),
  'no-admin': () => new AppError('FORBIDDEN', ACCESS_MESSAGES.adminsOnly),
  no: () => new AppError('FORBIDDEN', 'You are not allowed to do this.'),
} as const;

/**
 * Asks the policy: the first line of every operation.
 * @throws AppError UNAUTHENTICATED, PREMIUM_REQUIRED, EMAIL_NOT_CONFIRMED, NOT_IN_DEMO, SECOND_FACTOR_SETUP_REQUIRED or FORBIDDEN
 */
export function authorise(actor: Actor, action: Action, resource: Resource = {}): void {
  const verdict = POLICY[action](actor, resource);
  if (verdict !== 'yes') throw REFUSALS[verdict]();
}

/** The policy's answer, for pages that offer only permitted actions. The operation asks again. */
export function mayDo(actor: Actor, action: Action, resource: Resource = {}): boolean {
  return POLICY[action](actor, resource) === 'yes';
}

/**
 * Asks the policy about an action that requires a signed-in user.
 * @returns the user
 */
export function authoriseUser(actor: Actor, action: Action): SignedInUser {
  authorise(actor, action, actor.kind === 'user' ? { ownerId: actor.id } : {});
  if (actor.kind !== 'user') throw REFUSALS['sign-in']();
  return actor;
}

/**
 * Asks the policy about an action in a premium area, on the signed-in user's own data.
 * @returns the user
 */
export function authorisePremiumUser(actor: Actor, action: Action): SignedInUser {
  const own = actor.kind === 'user' ? { ownerId: actor.id, ownerIsPremium: actor.entitlement.isPremium } : {};
  authorise(actor, action, own);
  if (actor.kind !== 'user') throw REFUSALS['sign-in']();
  return actor;
}

/** An actor's name in the audit trail: the user's id, or the terminal user's name. */
export function actorName(actor: SignedInUser | CommandLineUser): string {
  return actor.kind === 'user' ? actor.id : `cli:${actor.osUser}`;
}

/**
 * Requires that the password was entered recently, except from the terminal, which has no session, and in demos, which have no
 * password. Only after the policy was asked.
 * @throws AppError RECENT_SIGN_IN_REQUIRED
 */
export function requireRecent({ actor, now }: Ctx): void {
  if (actor.kind !== 'user' || isInDemo(actor) || isRecentSignIn(actor.authenticatedAt, now())) return;
  throw new AppError('RECENT_SIGN_IN_REQUIRED', 'Enter your password again to continue.');
}

/**
 * Asks the policy, and requires that the password was entered recently: for actions by which someone using an unattended
 * session could lock the owner out or take everything (ASVS 7.5).
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, RECENT_SIGN_IN_REQUIRED
 */
export function authoriseRecent(ctx: Ctx, action: Action): SignedInUser {
  const user = authoriseUser(ctx.actor, action);
  requireRecent(ctx);
  return user;
}

/**
 * The same for an action in a premium area, on the signed-in user's own data.
 * @throws AppError UNAUTHENTICATED, PREMIUM_REQUIRED, NOT_IN_DEMO, FORBIDDEN, RECENT_SIGN_IN_REQUIRED
 */
export function authoriseRecentPremiumUser(ctx: Ctx, action: Action): SignedInUser {
  const user = authorisePremiumUser(ctx.actor, action);
  requireRecent(ctx);
  return user;
}

/**
 * The same for changes to another user's account. The terminal has no session, so only the policy applies there.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, SECOND_FACTOR_SETUP_REQUIRED, RECENT_SIGN_IN_REQUIRED
 */
export function authoriseRecentOver(ctx: Ctx, action: Action, resource: Resource): void {
  authorise(ctx.actor, action, resource);
  requireRecent(ctx);
}

/** Who may make a call: anyone, signed-in users, premium users, admins. */
export type CallAccess = 'public' | 'user' | 'premium' | 'admin';

/** The scope a personal token needs for a call. */
export type CallScope = 'read' | 'write';

/** What a call of the JSON API requires of its caller. */
export interface CallRule {
  access: CallAccess;
  scope: CallScope;
  /** Rejects personal tokens, because the call concerns the session or the account's security. */
  sessionOnly: boolean;
}

/**
 * Asks the policy whether the actor may make a call at all, before its input is read. The operation asks again about the
 * data concerned.
 * @throws AppError UNAUTHENTICATED, PREMIUM_REQUIRED, FORBIDDEN, SECOND_FACTOR_SETUP_REQUIRED
 */
export function authoriseCall(actor: Actor, { access, scope, sessionOnly }: CallRule): void {
  if (access === 'public') return;
  authorise(actor, 'api.call');
  if (sessionOnly) authorise(actor, 'api.call-of-session');
  if (scope === 'write') authorise(actor, 'api.write');
  if (access === 'admin') authorise(actor, 'api.call-of-admin');
  if (access !== 'premium' || actor.kind !== 'user') return;
  const { id, entitlement } = actor;
  authorise(actor, 'api.call-of-premium', { ownerId: id, ownerIsPremium: entitlement.isPremium });
}
