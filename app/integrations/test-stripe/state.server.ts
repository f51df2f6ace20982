import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import type { Plan } from '#app/domain/billing/plans.ts';
import type { Log } from '#app/domain/log.ts';

/** The state of the simulated Stripe, as JSON. Times are Unix seconds, amounts US cents. */
export interface StripeState {
  version: 1;
  webhookSecret: string;
  /** Second of the last event; the next step's events get a later one, so that they can be ordered. */
  lastEvent: number;
  customers: Record<string, TestCustomer>;
  sessions: Record<string, TestSession>;
  portals: Record<string, TestPortal>;
  subscriptions: Record<string, TestSubscription>;
  invoices: Record<string, TestInvoice>;
  charges: Record<string, TestCharge>;
  /** Events not yet delivered. */
  outbox: PendingEvent[];
  /** Responses by idempotency key. */
  answers: Record<string, KeptAnswer>;
}

export interface TestCustomer {
  id: string;
  userId: string;
  /** Paid but unused, to be deducted from later charges. */
  credit: number;
  card: TestCard;
}

/** A card whose behaviour is set on the test portal. */
export interface TestCard {
  id: string;
  declines: boolean;
  expMonth: number;
  expYear: number;
}

export interface TestSession {
  id: string;
  customer: string;
  userId: string;
  plan: Plan;
  trialEnd: number | null;
  successUrl: string;
  cancelUrl: string;
  status: 'open' | 'complete';
  subscription: string | null;
}

export interface TestPortal {
  id: string;
  customer: string;
  returnUrl: string;
}

type TestSubscriptionStatus = 'incomplete' | 'trialing' | 'active' | 'past_due' | 'canceled';

export interface TestSubscription {
  id: string;
  customer: string;
  userId: string;
  plan: Plan;
  status: TestSubscriptionStatus;
  created: number;
  periodStart: number;
  periodEnd: number;
  cancelAtPeriodEnd: boolean;
  endedAt: number | null;
  latestInvoice: string | null;
}

export interface TestInvoice {
  id: string;
  customer: string;
  subscription: string;
  created: number;
  total: number;
  amountDue: number;
  status: 'open' | 'paid' | 'void';
  attempts: number;
  charge: string | null;
}

export interface TestCharge {
  id: string;
  customer: string;
  amount: number;
  amountRefunded: number;
  created: number;
  dispute: 'none' | 'open' | 'won';
}

/** A Stripe event, as sent. */
interface TestEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  type: string;
  livemode: false;
  data: { object: object; previous_attributes?: object };
}

export interface PendingEvent {
  event: TestEvent;
  attempts: number;
}

interface KeptAnswer {
  /** Hash of the request, to detect a key reused for a different one. */
  fingerprint: string;
  status: number;
  body: unknown;
}

function emptyState(webhookSecret: string): StripeState {
  return {
    version: 1,
    webhookSecret,
    lastEvent: 0,
    customers: {},
    sessions: {},
    portals: {},
    subscriptions: {},
    invoices: {},
    charges: {},
    outbox: [],
    answers: {},
  };
}

/** The entry for an id from outside; safe for names such as `constructor`. */
export function entryOf<T>(entries: Record<string, T>, id: string | undefined): T | undefined {
  return id !== undefined && Object.hasOwn(entries, id) ? entries[id] : undefined;
}

/** Stores the state: read before each step, written after it. */
export interface StateStore {
  /** Runs one step exclusively. Its changes are kept unless it throws. */
  change<T>(step: (state: StripeState) => T): Promise<T>;
}

function isState(value: unknown): value is StripeState {
  return typeof value === 'object' && value !== null && (value as Partial<StripeState>).version === 1;
}

function newState(): StripeState {
  return emptyState(`whsec_${randomBytes(24).toString('hex')}`);
}

async function unlessAbsent<T>(step: Promise<T>): Promise<T | null> {
  try {
    return await step;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const textOf = (file: string): Promise<string | null> => unlessAbsent(readFile(file, 'utf8'));

/** The state in a text; null if it is not one. */
function parse(text: string): StripeState | null {
  try {
    const state: unknown = JSON.parse(text);
    return isState(state) ? state : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Renames an unreadable file, so that it neither blocks the next start nor is lost silently. Another process may have done so
 * first.
 */
async function setAside(file: string, log: Log): Promise<void> {
  const aside = `${file}.unreadable`;
  if ((await unlessAbsent(rename(file, aside).then(() => aside))) === null) return;
  log.warn({ path: aside }, 'the test payments could not be read; they start over');
}

/** Writes the whole file or nothing; readable only by the owner. */
async function save(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
  await rename(draft, file);
}

/**
 * Stores the state of the simulated Stripe in a small file, so that payments survive a restart. Steps run one after another
 * in this process; with two processes the later step wins, which is acceptable for test payments.
 */
export function stateFile(dataDir: string, log: Log): StateStore {
  const file = path.resolve(dataDir, 'test-stripe.json');
  let last: Promise<unknown> = Promise.resolve();
  return {
    change(step) {
      const run = last.then(async () => {
        const before = await textOf(file);
        const stored = before === null ? null : parse(before);
        if (before !== null && stored === null) await setAside(file, log);
        const state = stored ?? newState();
        const result = step(state);
        const after = JSON.stringify(state);
        if (after !== before) await save(file, after);
        return result;
      });
      last = run.catch(() => undefined);
      return run;
    },
  };
}

/** The API version whose shapes the simulated Stripe uses. */
const API_VERSION = '2026-10-28.endive';

/** At most this many events and responses are kept. */
const MOST_KEPT = 500;

/** One step of the simulated Stripe. */
export interface StripeContext {
  state: StripeState;
  /** Unix seconds. */
  now: number;
  newId(prefix: string): string;
  /** Adds an event to the outbox. */
  emit(type: string, object: object, previous?: object): void;
  /** Advances by a second, so that the following events come after the previous ones. */
  wait(): void;
}

/** Begins a step. Its events share a second, as Stripe's do, and come after those of the previous step. */
export function contextOf(state: StripeState, at: Date): StripeContext {
  const now = Math.floor(at.getTime() / 1000);
  let second = Math.max(now, state.lastEvent + 1);
  const newId = (prefix: string) => `${prefix}_test_${randomBytes(12).toString('hex')}`;
  return {
    state,
    now,
    newId,
    emit(type, object, previous) {
      state.lastEvent = second;
      const event: TestEvent = {
        id: newId('evt'),
        object: 'event',
        api_version: API_VERSION,
        created: second,
        type,
        livemode: false,
        // A copy, because the object may change later.
        data: structuredClone({ object, ...(previous ? { previous_attributes: previous } : {}) }),
      };
      state.outbox = [...state.outbox, { event, attempts: 0 }].slice(-MOST_KEPT);
    },
    wait() {
      if (state.lastEvent === second) second += 1;
    },
  };
}

/** Stores a response for a key, and drops the oldest ones. */
export function keepAnswer(state: StripeState, key: string, answer: StripeState['answers'][string]): void {
  const answerList = Object.entries({ ...state.answers, [key]: answer });
  state.answers = Object.fromEntries(answerList.slice(-MOST_KEPT));
}
