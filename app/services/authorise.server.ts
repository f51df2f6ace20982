import { isAdminRole, type Role } from '#app/domain/accounts/index.ts';
import { AppError } from '#app/domain/errors.ts';
import { SECOND_FACTOR_MESSAGES } from '#app/domain/schemas/second-factor.ts';
import type { Actor, CommandLineUser, SignedInUser } from './context.server.ts';

/** What an action is done to, as far as permission depends on it. */
export interface Resource {
  /** Whose data it is. */
  ownerId?: string;
  ownerIsPremium?: boolean;
  /** Id and role of the account an admin changes. */
  subject?: { id: string; role: Role };
}

type Verdict = 'yes' | 'sign-in' | 'premium' | 'second-factor' | 'no';
type Rule = (actor: Actor, resource: Resource) => Verdict;

const anyone: Rule = () => 'yes';
const signedIn: Rule = (actor) => (actor.kind === 'user' ? 'yes' : 'sign-in');
const terminal: Rule = (actor) => (actor.kind === 'cli' ? 'yes' : 'no');

/** The owner, or somebody at the terminal acting for them. */
const owner: Rule = (actor, { ownerId }) => {
  if (actor.kind === 'cli') return 'yes';
  if (actor.kind === 'visitor') return 'sign-in';
  return actor.id === ownerId ? 'yes' : 'no';
};

/** What belongs to Premium, also when the terminal asks for an account. */
const premiumOwner: Rule = (actor, resource) => {
  const verdict = owner(actor, resource);
  if (verdict !== 'yes') return verdict;
  return resource.ownerIsPremium === true ? 'yes' : 'premium';
};

const admin: Rule = (actor) => {
  if (actor.kind === 'cli') return 'yes';
  if (actor.kind === 'visitor') return 'sign-in';
  if (!isAdminRole(actor.role)) return 'no';
  return actor.lacksSecondFactor ? 'second-factor' : 'yes';
};

/** Admins over users, super admins over admins too; nobody over themselves. */
const adminOver: Rule = (actor, resource) => {
  const verdict = admin(actor, resource);
  if (verdict !== 'yes' || actor.kind !== 'user') return verdict;
  if (resource.subject === undefined || resource.subject.id === actor.id) return 'no';
  return actor.role === 'super_admin' || resource.subject.role === 'user' ? 'yes' : 'no';
};

/** The policy: who may do what to what. Nothing else in the program decides about permission. */
const POLICY = {
  'account.register': anyone,
  'account.read': signedIn,
  'account.change': signedIn,
  'account.change-password': signedIn,
  'account.confirm-password': signedIn,
  'account.delete': signedIn,
  'account.download': signedIn,
  'account.read-access-log': signedIn,
  'account.purge': terminal,
  'second-factor.manage': signedIn,
  'account.change-email': signedIn,
  'email.confirm': anyone,
  'password.reset': anyone,
  'session.start': anyone,
  'session.manage': owner,
  'trial.start': signedIn,
  'demo-interest.keep': anyone,
  'calculation.save': signedIn,
  'calculation.read': owner,
  'calculation.remove': owner,
  'export.run': owner,
  'export.premium-types': premiumOwner,
  'admin.create': terminal,
  'admin.stats': admin,
  'admin.find-account': admin,
  'admin.change-status': adminOver,
} as const satisfies Record<string, Rule>;

export type Action = keyof typeof POLICY;

const REFUSALS = {
  'sign-in': () => new AppError('UNAUTHENTICATED', 'Please sign in first.'),
  premium: () => new AppError('PREMIUM_REQUIRED', 'Premium users only'),
  'second-factor': () => new AppError('SECOND_FACTOR_SETUP_REQUIRED', SECOND_FACTOR_MESSAGES.required),
  no: () => new AppError('FORBIDDEN', 'You are not allowed to do this.'),
} as const;

/**
 * Asks the policy; the first line of every service.
 * @throws AppError UNAUTHENTICATED, PREMIUM_REQUIRED or FORBIDDEN
 */
export function authorise(actor: Actor, action: Action, resource: Resource = {}): void {
  const verdict = POLICY[action](actor, resource);
  if (verdict !== 'yes') throw REFUSALS[verdict]();
}

/**
 * Asks the policy for an action that only a signed-in user can do.
 * @returns the user
 */
export function authoriseUser(actor: Actor, action: Action): SignedInUser {
  authorise(actor, action, actor.kind === 'user' ? { ownerId: actor.id } : {});
  if (actor.kind !== 'user') throw REFUSALS['sign-in']();
  return actor;
}

/** How an actor is named in the audit trail: by id, or by the name at the terminal. */
export function actorName(actor: SignedInUser | CommandLineUser): string {
  return actor.kind === 'user' ? actor.id : `cli:${actor.osUser}`;
}
