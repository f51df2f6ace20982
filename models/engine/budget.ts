import { EngineError } from './errors.ts';

/**
 * How one thread serves many clients: long work is cut into slices, and all other work gets a turn between slices.
 *
 * Work that can take long is a generator. It checks `isSliceOver()` in every loop and, when the slice is over, yields `PAUSE`
 * instead of a value. Its reader passes the pause on, up to `run`, which continues in a later turn of the event loop.
 * Turns are taken round-robin, one slice each, and sockets are read between them. Short work never pauses and costs no
 * more than a plain call.
 *
 * Paused work holds its own state: a read its snapshot, a write its transaction. It must assume that everything else
 * may have changed during a pause.
 */

/** How long one command runs before the next gets its turn, in milliseconds. */
const SLICE_MS = 0.75;

/** Yielded instead of a value when the slice is over; pass it on. */
export const PAUSE: unique symbol = Symbol('pause');
/** See {@link PAUSE}. */
export type Pause = typeof PAUSE;
/** Values with pauses between them. */
export type Pausing<T> = Iterable<T | Pause>;
/** Work that pauses on its way to a result. */
export type Steps<T> = Generator<Pause, T, void>;

let sliceEnd = Infinity;
let current: Budget | null = null;

/** True when it is time to pause; always false outside `run`. */
export function isSliceOver(): boolean {
  return performance.now() > sliceEnd;
}

/**
 * For code that may take long and cannot pause, such as a regular expression.
 * @throws EngineError 50 when the running command's time limit is exceeded, 11601 or 279 when it was ended.
 */
export function checkBudget(): void {
  current?.check();
}

/** A command's remaining time, and whether it has been ended. */
export class Budget {
  #deadline: number;
  #reason: EngineError | null = null;

  /** `limitMs` null: no limit. */
  constructor(limitMs: number | null = null) {
    this.#deadline = limitMs === null ? Infinity : performance.now() + limitMs;
  }

  /** Milliseconds left; null without a limit. */
  get leftMs(): number | null {
    return this.#deadline === Infinity ? null : Math.max(0, this.#deadline - performance.now());
  }

  /** Sets a limit from now, unless there is an earlier one. */
  limit(ms: number | null): void {
    if (ms !== null) this.#deadline = Math.min(this.#deadline, performance.now() + ms);
  }

  /** Ends the command at its next step with this error. */
  end(reason: EngineError): void {
    this.#reason ??= reason;
  }

  /** @throws EngineError the reason why the command has to end. */
  check(): void {
    if (this.#reason) throw this.#reason;
    if (performance.now() > this.#deadline)
      throw new EngineError('MaxTimeMSExpired', 'operation exceeded time limit');
  }
}

/** The same steps with a budget, checked whenever they continue. When it is used up, its error is thrown into them. */
export function* within<T>(budget: Budget, steps: Steps<T>): Steps<T> {
  for (;;) {
    const outer = current;
    let step: IteratorResult<Pause, T>;
    current = budget;
    try {
      step = resume(budget, steps);
    } finally {
      current = outer;
    }
    if (step.done) return step.value;
    yield PAUSE;
  }
}

function resume<T>(budget: Budget, steps: Steps<T>): IteratorResult<Pause, T> {
  try {
    budget.check();
  } catch (reason) {
    return steps.throw(reason);
  }
  return steps.next();
}

const waiting: (() => void)[] = [];
const waitingWriters: (() => void)[] = [];
let isScheduled = false;
let wasWriter = false;

/** Runs one slice, then returns to the event loop, which reads sockets before the next. Every other slice goes to a writer. */
function nextTurn(): void {
  const turns = waitingWriters.length > 0 && (!wasWriter || waiting.length === 0) ? waitingWriters : waiting;
  wasWriter = turns === waitingWriters;
  turns.shift()?.();
  isScheduled = waiting.length + waitingWriters.length > 0;
  if (isScheduled) setImmediate(nextTurn);
}

/** Resolves when it is this caller's turn again. Writers wait less because they block all other writes. */
export function turn(isWriter = false): Promise<void> {
  return new Promise((resolve) => {
    (isWriter ? waitingWriters : waiting).push(resolve);
    if (!isScheduled) setImmediate(nextTurn);
    isScheduled = true;
  });
}

/** Runs `fn` with a slice of `ms`. */
function slice<T>(fn: () => T, ms: number): T {
  const outer = sliceEnd;
  sliceEnd = performance.now() + ms;
  try {
    return fn();
  } finally {
    sliceEnd = outer;
  }
}

/** Runs steps: the first slice at once, the others in turn with other work. */
export function run<T>(steps: Steps<T>, isWriter = false): T | Promise<T> {
  const step = slice(() => steps.next(), SLICE_MS);
  return step.done ? step.value : runOn(steps, isWriter);
}

async function runOn<T>(steps: Steps<T>, isWriter: boolean): Promise<T> {
  for (;;) {
    await turn(isWriter);
    const step = slice(() => steps.next(), SLICE_MS);
    if (step.done) return step.value;
  }
}

/** Runs all steps without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs steps without a pause if they finish within `ms`; otherwise ends them and returns null. */
export function tryAtOnce<T>(steps: Steps<T>, ms: number): { value: T } | null {
  const step = slice(() => steps.next(), ms);
  if (step.done) return { value: step.value };
  steps.return(undefined as T);
  return null;
}

/** The values without the pauses, for callers that cannot wait. */
export function* unpaused<T>(values: Pausing<T>): Generator<T> {
  for (const value of values) if (value !== PAUSE) yield value as T;
}

export function* gather<T>(values: Pausing<T>): Steps<T[]> {
  const all: T[] = [];
  for (const value of values) {
    if (value === PAUSE) yield PAUSE;
    else all.push(value as T);
  }
  return all;
}

/** Items sorted without a pause. */
const RUN = 512;
/** Values between two looks at the clock. */
const PER_LOOK = 32;

/** A stable sort into a new array, by merging short sorted runs. */
export function* sorted<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(items.slice(at, at + RUN).sort(compare));
    if (isSliceOver()) yield PAUSE;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2)
      merged.push(yield* merge(runs[i] as T[], runs[i + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(left: T[], right: T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const merged: T[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length && r < right.length) {
    if (compare(left[l] as T, right[r] as T) <= 0) merged.push(left[l++] as T);
    else merged.push(right[r++] as T);
    if (merged.length % PER_LOOK === 0 && isSliceOver()) yield PAUSE;
  }
  return merged.concat(l < left.length ? left.slice(l) : right.slice(r));
}
