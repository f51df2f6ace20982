import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { lawSeed } from './scripts/law-seed.mjs';

/** One for each processor: left alone, vitest keeps one of them for itself, which is half of a machine of two. */
const WORKERS = Math.max(2, Math.min(4, availableParallelism()));

/** How long a test, and a state that it waits for, may take: what is slow is no failure, what never ends is one. */
const PATIENCE_MS = 600_000;
const POLL_MS = 120_000;

/** Files of one or more minutes: begun last, they would leave the other processors idle. */
const LONG = [
  'platform/worker-kill.test.ts',
  'engine/commands/fairness.test.ts',
  'browser/demo.spec.ts',
  'browser/pages.spec.ts',
];

/** Files that wait for most of their time. Beside the browser tests, which wait too, they keep no processor idle. */
const WAITING = [
  'platform/worker-kill',
  'routes/outage',
  'engine/wire/crash',
  'engine/wire/ending',
  'models/stuck-driver',
].map((name) => `tests/integration/${name}.test.ts`);

/** The long files first, then in vitest's own order: the largest first. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const env = { LAW_SEED: String(lawSeed(import.meta.dirname)) };

const integration = {
  globalSetup: ['tests/support/bundles.setup.ts'],
  setupFiles: [
    'tests/support/fail-on-console.ts',
    'tests/support/close-held.ts',
    'tests/support/law-seed.setup.ts',
  ],
  env,
  // Files share what they import: loading it anew for each took longer than their tests.
  isolate: false,
  testTimeout: PATIENCE_MS,
  hookTimeout: PATIENCE_MS,
  expect: { poll: { timeout: POLL_MS } },
};

/**
 * Four projects: `unit` (pure code and laws), `integration` (real engine, real services, real files), `waiting` (the same, for
 * files that mostly wait) and `browser` (Chromium against the built server). `tests/support/*.setup.ts` builds and starts
 * what they need.
 */
export default defineConfig({
  test: {
    reporters: ['default'],
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.{test,prop.test}.{ts,tsx}'],
          setupFiles: ['tests/support/fail-on-console.ts', 'tests/support/law-seed.setup.ts'],
          env,
          // Files share what they import: loading it anew for each took longer than their tests.
          isolate: false,
          testTimeout: PATIENCE_MS,
          maxWorkers: WORKERS,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...integration,
          name: 'integration',
          include: ['tests/integration/**/*.{test,prop.test}.{ts,tsx}'],
          exclude: WAITING,
          maxWorkers: WORKERS,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...integration,
          name: 'waiting',
          include: WAITING,
          maxWorkers: WORKERS + 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.spec.ts'],
          globalSetup: ['tests/support/bundles.setup.ts', 'tests/support/browser.setup.ts'],
          setupFiles: ['tests/support/close-held.ts', 'tests/support/close-pages.ts'],
          // Loading the application, playwright and axe anew takes longer than the tests of most files.
          isolate: false,
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          // What a page shows is waited for: a page is read while it may still be on its way.
          expect: { poll: { timeout: POLL_MS } },
          // One more than processors: each waits for frames, toasts and answers for a third of its time.
          maxWorkers: WORKERS + 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
