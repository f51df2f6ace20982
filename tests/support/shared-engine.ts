import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SILENT_LOG } from '#app/domain/log.ts';
import { startEmbedded, type EmbeddedEngine } from '#models/store/embedded.server.ts';

/** This process's engine for tests that neither look at its files nor open them from another process. */
let shared: Promise<EmbeddedEngine> | undefined;
let databases = 0;

async function start(): Promise<EmbeddedEngine> {
  const directory = await mkdtemp(path.join(tmpdir(), 'vialbook-shared-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  // This is how vitest ends its workers.
  process.once('SIGTERM', () => process.exit());
  return startEmbedded(directory, SILENT_LOG);
}

/** The shared engine, with an empty database of its own for the caller; this saves starting an engine for each test file. */
export async function sharedEngine(): Promise<EmbeddedEngine> {
  shared ??= start();
  const engine = await shared;
  databases += 1;
  const uri = new URL(engine.uri);
  uri.pathname = `/test-${databases}`;
  return { uri: uri.href, close: () => Promise.resolve() };
}
