import { AsyncLocalStorage } from 'node:async_hooks';
import path from 'node:path';
import type { CommandStartedEvent } from 'mongodb';
import type { Repositories } from '#models/index.server.ts';

/** Where in the program something was called, and by which operation. */
interface Call {
  /** The function that a test called, with its file. */
  operation: string;
  /** The line of the test that called it. */
  caller: string;
  /** The line of the program that called a repository. */
  place: string;
}

const ROOT = process.cwd();
/** Frames kept, so that those of the test are among them. */
const DEPTH = 200;
const FRAME = /^\s*at (?:async )?(?:(.*?) \()?(?:file:\/\/)?([^()]+?):(\d+):(\d+)\)?$/;

/** The frames of the current call within the program and the tests, the innermost first. */
function frames(): { name: string; file: string; at: string }[] {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = DEPTH;
  const { stack = '' } = new Error('where');
  Error.stackTraceLimit = limit;
  return stack.split('\n').flatMap((line) => {
    const [, name = '', address = '', row = '', column = ''] = FRAME.exec(line) ?? [];
    const file = path.relative(ROOT, address.replace(/\?.*$/, ''));
    const isOurs = /^(app|tests)\//.test(file) && file !== 'tests/support/acts-watch.ts';
    return isOurs ? [{ name, file, at: `${file}:${row}:${column}` }] : [];
  });
}

function callHere(): Call | null {
  const all = frames();
  const outside = all.findIndex(({ file }) => file.startsWith('tests/'));
  const [first] = all;
  const operation = all[outside - 1];
  const caller = all[outside];
  if (first === undefined || operation === undefined || caller === undefined) return null;
  return { operation: `${operation.name} in ${operation.file}`, caller: caller.at, place: first.at };
}

/**
 * Counts that belong to no act, all of the noun or one function: attempts count even if the act is refused, room is taken
 * before an act and counted anew when it runs out, and the last use of something is only noted.
 */
const COUNTS: readonly (readonly [string, string?])[] = [
  ['throttles'],
  ['rowQuota'],
  ['jobRuns'],
  ['processSignals'],
  ['serverProcesses'],
  ['sessions', 'touch'],
  ['users', 'touch'],
  ['apiTokens', 'touch'],
];

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify']);

/**
 * Watches which operations write outside of a transaction. The driver's commands say what is written, and the stack of
 * each repository's call says which operation asked for it.
 */
export class ActsWatch {
  readonly #calls = new AsyncLocalStorage<Call | null>();
  readonly #places = new Map<string, { operation: string; places: Set<string> }>();
  /** How many writes were outside of a transaction, and how many within one. */
  readonly writes = { outside: 0, within: 0 };

  /** The same repositories, watched. */
  watched(repos: Repositories): Repositories {
    const watch = (noun: string, repository: object): object =>
      new Proxy(repository, {
        get: (target, key) => {
          const value: unknown = Reflect.get(target, key);
          if (typeof value !== 'function') return value;
          const isCount = COUNTS.some(([counted, name]) => counted === noun && (name ?? key) === key);
          return (...input: unknown[]): unknown =>
            this.#calls.run(
              isCount ? null : callHere(),
              () => Reflect.apply(value, target, input) as unknown,
            );
        },
      });
    return Object.fromEntries(
      Object.entries(repos).map(([noun, repository]) => [noun, watch(noun, repository)]),
    ) as Repositories;
  }

  /** Notes a command of the driver. */
  readonly note = ({ commandName, command }: Pick<CommandStartedEvent, 'commandName' | 'command'>): void => {
    if (!WRITES.has(commandName)) return;
    const isWithin = command['autocommit'] === false;
    this.writes[isWithin ? 'within' : 'outside'] += 1;
    const call = this.#calls.getStore();
    if (isWithin || !call) return;
    const known = this.#places.get(call.caller) ?? { operation: call.operation, places: new Set() };
    known.places.add(call.place);
    this.#places.set(call.caller, known);
  };

  /** The operations that wrote in several places outside of a transaction, with these places. */
  severalWrites(): Map<string, string[]> {
    const found = new Map<string, Set<string>>();
    for (const { operation, places } of this.#places.values()) {
      if (places.size < 2) continue;
      found.set(operation, new Set([...(found.get(operation) ?? []), ...places]));
    }
    return new Map([...found].map(([operation, places]) => [operation, [...places].sort()]));
  }
}
