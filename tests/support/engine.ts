import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import { afterAll, beforeAll, expect } from 'vitest';
import { startEngine, type EngineHandle, type LogEntry } from '#models/engine/index.ts';

/** A separate directory for one test, removed by `remove`. */
export async function temporaryDirectory(): Promise<{ dir: string; remove: () => Promise<void> }> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'vialbook-test-'));
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}

/** An engine with a client, for the tests of one file. */
export interface EngineFixture {
  readonly uri: string;
  readonly dir: string;
  readonly client: MongoClient;
  /** Lines the engine logged so far. */
  readonly log: LogEntry[];
  /** A database that no other test uses. */
  db(): Db;
  connect(options?: MongoClientOptions): Promise<MongoClient>;
}

/** Starts an engine before the tests of the calling file and stops it after them. */
export function useEngine(): EngineFixture {
  const log: LogEntry[] = [];
  const clients: MongoClient[] = [];
  let engine: EngineHandle;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let databases = 0;

  const connect = async (options: MongoClientOptions = {}) => {
    const client = new MongoClient(engine.uri, options);
    clients.push(client);
    return client.connect();
  };

  beforeAll(async () => {
    directory = await temporaryDirectory();
    engine = await startEngine({ dir: directory.dir, log: (entry) => log.push(entry) });
    await connect();
  });

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await engine.close();
    await directory.remove();
    expect(log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  return {
    get uri() {
      return engine.uri;
    },
    get dir() {
      return directory.dir;
    },
    get client() {
      return clients[0] as MongoClient;
    },
    log,
    db() {
      databases += 1;
      return (clients[0] as MongoClient).db(`test${databases}`);
    },
    connect,
  };
}

/** The error a promise rejects with; fails when it does not. */
export async function failureOf(promise: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  try {
    await promise;
  } catch (error) {
    return error as Error & Record<string, unknown>;
  }
  return expect.unreachable('the command should have failed');
}
