import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import type { Plan } from '#app/domain/billing/plans.ts';
import type { Log } from '#app/domain/log.ts';

/** Everything the test Stripe remembers. Times are Unix seconds, amounts US cents; all of it is JSON. */
export interface StripeState {
  version: 1;
  webhookSecret: string;
  /** Second of the last event; the next step's events come later, so that their order can be told. */
  lastEvent: number;
  customers: Record<string, TestCustomer>;
  sessions: Record<string, TestSession>;
  portals: Record<string, TestPortal>;
  subscriptions: Record<string, TestSubscription>;
  invoices: Record<string, TestInvoice>;
  charges: Record<string, TestCharge>;
  /** Events that have not been taken yet. */
  outbox: PendingEvent[];
  /** Answers by idempotency key. */
  answers: Record<string, KeptAnswer>;
}

export interface TestCustomer {
  id: string;
  userId: string;
  /** What was paid and not used, to be taken off later charges. */
  credit: number;
  card: TestCard;
}

/** A card that does what it was told to. */
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

/** An event of Stripe, as it is sent. */
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
  /** What was asked, to notice a key that is used again for something else. */
  fingerprint: string;
  status: number;
  body: unknown;
}

/** The state before anything happened. */
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

/** The entry under an id that came from outside: names such as `constructor` are no ids. */
export function entryOf<T>(entries: Record<string, T>, id: string | undefined): T | undefined {
  return id !== undefined && Object.hasOwn(entries, id) ? entries[id] : undefined;
}

/** The state between two steps: read before each one, written after it. */
export interface StateStore {
  /** Runs one step alone. What it did is kept, unless it throws. */
  change<T>(step: (state: StripeState) => T): Promise<T>;
}

function isState(value: unknown): value is StripeState {
  return typeof value === 'object' && value !== null && (value as Partial<StripeState>).version === 1;
}

function newState(): StripeState {
  return emptyState(`whsec_${randomBytes(24).toString('hex')}`);
}

/** Puts a file that cannot be read aside, so that the next start is not stopped by it, and nothing is lost in silence. */
async function setAside(file: string, log: Log): Promise<StripeState> {
  const aside = `${file}.unreadable`;
  await rename(file, aside);
  log.warn({ path: aside }, 'the test payments could not be read; they begin anew');
  return newState();
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function parse(text: string, file: string, log: Log): Promise<StripeState> {
  try {
    const state: unknown = JSON.parse(text);
    if (isState(state)) return state;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return setAside(file, log);
}

/** Complete or not at all, and readable by the owner alone. */
async function save(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
  await rename(draft, file);
}

/**
 * Keeps the state of the test Stripe in one small file, so that a restart does not forget who has paid. Steps run one
 * after another in this process; of two processes at once the later step wins, which test payments can bear.
 */
export function stateFile(dataDir: string, log: Log): StateStore {
  const file = path.resolve(dataDir, 'test-stripe.json');
  let last: Promise<unknown> = Promise.resolve();
  return {
    change(step) {
      const run = last.then(async () => {
        const before = await textOf(file);
        const state = before === null ? newState() : await parse(before, file, log);
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

/** The version whose shapes the test Stripe speaks. */
const API_VERSION = '2026-10-28.endive';

/** Oldest events and answers are forgotten beyond this many. */
const MOST_KEPT = 500;

/** One step in the state of the test Stripe. */
export interface StripeContext {
  state: StripeState;
  /** Unix seconds. */
  now: number;
  newId(prefix: string): string;
  /** Puts an event into the outbox. */
  emit(type: string, object: object, previous?: object): void;
  /** Lets a second pass: events from here on come after those before. */
  wait(): void;
}

/** Begins a step. Its events share a second, as Stripe's do, and come after those of the step before. */
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
        // A copy: the object goes on changing, the event does not.
        data: structuredClone({ object, ...(previous ? { previous_attributes: previous } : {}) }),
      };
      state.outbox = [...state.outbox, { event, attempts: 0 }].slice(-MOST_KEPT);
    },
    wait() {
      if (state.lastEvent === second) second += 1;
    },
  };
}

/** Keeps an answer for a key, and forgets the oldest ones. */
export function keepAnswer(state: StripeState, key: string, answer: StripeState['answers'][string]): void {
  const kept = Object.entries({ ...state.answers, [key]: answer });
  state.answers = Object.fromEntries(kept.slice(-MOST_KEPT));
}
