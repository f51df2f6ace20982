import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '#app/domain/log.ts';
import { emptyWorld, type World } from './state.server.ts';

/** The world between two steps: read before each one, written after it. */
export interface WorldStore {
  /** Runs one step alone. What it did is kept, unless it throws. */
  change<T>(step: (world: World) => T): Promise<T>;
}

function isWorld(value: unknown): value is World {
  return typeof value === 'object' && value !== null && (value as Partial<World>).version === 1;
}

function newWorld(): World {
  return emptyWorld(`whsec_${randomBytes(24).toString('hex')}`);
}

/** Puts a file that cannot be read aside, so that the next start is not stopped by it, and nothing is lost in silence. */
async function setAside(file: string, log: Log): Promise<World> {
  const aside = `${file}.unreadable`;
  await rename(file, aside);
  log.warn({ path: aside }, 'the test payments could not be read; they begin anew');
  return newWorld();
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function parse(text: string, file: string, log: Log): Promise<World> {
  try {
    const world: unknown = JSON.parse(text);
    if (isWorld(world)) return world;
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
 * Keeps the world of the test Stripe in one small file, so that a restart does not forget who has paid. Steps run one
 * after another in this process; of two processes at once the later step wins, which test payments can bear.
 */
export function worldFile(dataDir: string, log: Log): WorldStore {
  const file = path.resolve(dataDir, 'test-stripe.json');
  let last: Promise<unknown> = Promise.resolve();
  return {
    change(step) {
      const run = last.then(async () => {
        const before = await textOf(file);
        const world = before === null ? newWorld() : await parse(before, file, log);
        const result = step(world);
        const after = JSON.stringify(world);
        if (after !== before) await save(file, after);
        return result;
      });
      last = run.catch(() => undefined);
      return run;
    },
  };
}
