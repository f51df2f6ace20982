import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import { SILENT_LOG } from '#app/domain/log.ts';
import { parseSettings, type Settings } from '#app/domain/settings/settings.ts';
import type { MailMessage } from '#app/integrations/mail.server.ts';
import { createPushSender, makeVapidKeys } from '#app/integrations/push.server.ts';
import { createRemoteTexts } from '#app/integrations/remote-text.server.ts';
import { createOutgoingPosts } from '#app/integrations/outgoing.server.ts';
import type { Actor, Client, Ctx } from '#app/platform/access/context.server.ts';
import { compose } from '#app/server/composition.server.ts';
import { startEmbedded } from '#models/store/embedded.server.ts';
import { openDatabase, type Database, type Repositories } from '#models/index.server.ts';
import { everyActTwice } from './conflicts.ts';
import { LOOPBACK_RULE } from './push-host.ts';
import { databaseEnv } from './named-deployment.ts';
import { sharedEngine } from './shared-engine.ts';

/** A clock that only tests move. */
export interface Clock {
  now(): Date;
  advance(ms: number): void;
}

/**
 * A clock that starts at a fixed instant in the middle of a day, far ahead of the machine's: the database drops what
 * is over by its own clock.
 */
export function stoppedClock(start = '2090-03-10T12:00:00.000Z'): Clock {
  let at = Date.parse(start);
  return {
    now: () => new Date(at),
    advance: (ms) => {
      at += ms;
    },
  };
}

/** A real database of its own, with contexts for whoever asks. */
export interface TestDatabase extends Database {
  settings: Settings;
  directory: string;
  /** The environment of commands that use this database through its engine, rather than through one of their own. */
  env: Record<string, string>;
  clock: Clock;
  /** Every mail so far, oldest first, once it is sent. */
  mails(): Promise<readonly MailMessage[]>;
  /** A call of this actor; a visitor from one address by default. */
  ctx(actor?: Actor, client?: Partial<Client>): Ctx;
  /** Closes it and removes its directory. */
  dispose(): Promise<void>;
}

export const VISITOR: Actor = { kind: 'visitor' };
export const TERMINAL: Actor = { kind: 'cli', osUser: 'operator' };

const connections = new WeakMap<object, Connection>();

/** The mongoose connection behind a test's database, for what no repository offers on purpose. */
export function testConnection(database: TestDatabase): Connection {
  const connection = connections.get(database.repos);
  if (connection === undefined) throw new Error('not a test database');
  return connection;
}

/** The clock of this machine, for what runs beside a real server. */
const realClock: Clock = { now: () => new Date(), advance: () => undefined };

/**
 * Opens an empty database in the engine that all tests of this process share; with `ownEngine` in an engine of its own,
 * whose files are in `directory`; with `directory` in that of a running server, as a second process of the program does,
 * and by the real time.
 */
export async function openTestDatabase(
  options: {
    env?: Record<string, string>;
    monitorCommands?: boolean;
    directory?: string;
    secret?: string;
    /** For tests that look at the engine's files, back them up, or open them from another process. */
    ownEngine?: boolean;
    /** By this machine's clock, for tests that run commands, which know no other. */
    realTime?: boolean;
    /** Sees every call that an operation makes to a repository. */
    watched?: (repos: Repositories) => Repositories;
  } = {},
): Promise<TestDatabase> {
  const directory = options.directory ?? (await mkdtemp(path.join(tmpdir(), 'vialbook-test-')));
  const settings = parseSettings(databaseEnv({ DATA_DIR: directory, ...options.env }));
  const driver = options.monitorCommands ? { monitorCommands: true } : {};
  const isShared = settings.DATA_DIR === directory && !options.directory && !options.ownEngine;
  const start = () => (isShared ? sharedEngine() : startEmbedded(settings.DATA_DIR, SILENT_LOG));
  const engine = settings.MONGODB_URI === undefined ? await start() : undefined;
  const database = await openDatabase(settings, SILENT_LOG, {
    ...driver,
    ...(engine ? { engine: Promise.resolve(engine) } : {}),
  });
  const connection = mongoose.connections.at(-1);
  if (connection) connections.set(database.repos, connection);
  // `CONFLICTS=1` runs the tests with every act meeting another change once.
  const transaction = process.env['CONFLICTS'] ? everyActTwice(database.transaction) : database.transaction;
  const clock = options.directory === undefined && !options.realTime ? stoppedClock() : realClock;
  const { secret = 'a secret that only tests use, long enough' } = options;
  const sent: MailMessage[] = [];
  const mailer = {
    send: (mail: MailMessage) => Promise.resolve(void sent.push(mail)),
    forget: () => Promise.resolve(),
  };
  const repos = options.watched?.(database.repos) ?? database.repos;
  const { contextFor, mailQueue } = compose({
    settings,
    log: SILENT_LOG,
    database: { ...database, repos, transaction },
    secret,
    mailer,
    // A test's own server on this machine may be asked.
    remoteTexts: createRemoteTexts({ isAllowed: (address) => address === '127.0.0.1' }),
    outgoing: createOutgoingPosts({ rule: LOOPBACK_RULE, timeoutMs: 60_000 }),
    // As real as a browser can tell, but for this machine's own services.
    push: createPushSender({ keys: makeVapidKeys, subject: 'mailto:test@example.org', rule: LOOPBACK_RULE }),
    now: clock.now,
  });
  return {
    ...database,
    settings,
    directory,
    env: { DATA_DIR: directory, ...(engine ? { MONGODB_URI: engine.uri, SESSION_SECRET: secret } : {}) },
    clock,
    mails: async () => {
      await mailQueue.close();
      return sent;
    },
    ctx: (actor = VISITOR, client = {}) =>
      contextFor({ actor, client: { address: '192.0.2.1', userAgent: 'test', ...client } }),
    async dispose() {
      await mailQueue.close();
      if (engine && isShared) await connection?.dropDatabase();
      await database.close();
      // The test payments may still be writing their file.
      const gone = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 };
      if (options.directory === undefined) await rm(directory, gone);
    },
  };
}
