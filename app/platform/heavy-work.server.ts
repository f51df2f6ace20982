import { Readable } from 'node:stream';
import { AppError } from '#app/domain/errors.ts';
import { MINUTE_MS, SECOND_MS } from '#app/domain/time/calendar.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { ReaderTooSlow } from '#app/platform/http/file-response.server.ts';

/**
 * Work that takes seconds because it reads a whole account or every pixel of a picture. Of each kind, one task per account and
 * a few per process run at once; further ones wait a moment and are then rejected. A file yields to other requests every few
 * milliseconds, is produced no faster than its client reads it, and ends when its client disconnects.
 */

interface Kind {
  /** How many further tasks of one account may wait. */
  mayWait: number;
  /** The message if the account already has a running task. */
  busy: string;
  /** The message if all places are taken. */
  full: string;
}

/** Kinds are limited separately, so that during a large download one can still search or open a report. */
const KINDS = {
  file: {
    mayWait: 3,
    busy: 'Your last file is still being created. Wait until it has downloaded, then try again.',
    full: 'Many files are being created at the moment. Try again shortly.',
  },
  // A page in a moment, also for visitors, who must not take the places of exports.
  card: {
    mayWait: 3,
    busy: 'Your last card is still being created. Try again in a moment.',
    full: 'Many cards are being created at the moment. Try again shortly.',
  },
  report: {
    mayWait: 3,
    busy: 'Your last report is still being created. Try again in a moment.',
    full: 'Many reports are being created at the moment. Try again shortly.',
  },
  // Opened by link, so by others than the owner, and possibly by several people.
  sharedReport: {
    mayWait: 8,
    busy: 'This report is being created for others at the moment. Try again shortly.',
    full: 'Many reports are being created at the moment. Try again shortly.',
  },
  search: {
    mayWait: 3,
    busy: 'Your last search is still running. Try again in a moment.',
    full: 'Many searches are running at the moment. Try again shortly.',
  },
  import: {
    mayWait: 3,
    busy: 'Your last file is still being imported. Wait until it is done, then try again.',
    full: 'Many files are being imported at the moment. Try again shortly.',
  },
  // Small tasks, of which a phone may send several.
  picture: {
    mayWait: 12,
    busy: 'Your last pictures are still being processed. Try again in a moment.',
    full: 'Many pictures are being processed. Try again in a moment.',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type HeavyKind = keyof typeof KINDS;

/** Tasks of one kind that run at once in this process. */
const AT_ONCE = 8;
/** How many may wait, across all accounts. */
const MOST_WAITING = 32;
/** Short tasks are done by then; for long ones, an error is better than waiting. */
const LONGEST_WAIT_MS = 5 * SECOND_MS;
const RETRY_AFTER_SECONDS = 10;

/** A client that reads nothing for so long, or takes longer than this in total, is dropped to free the place. */
const LONGEST_PAUSE_MS = MINUTE_MS;
const LONGEST_FILE_MS = 30 * MINUTE_MS;

/** Characters of a file that are written together: a system write costs as much as a hundred rows. */
const PIECE_CHARACTERS = 64 * 1024;

interface Waiting {
  who: string;
  start(): void;
}

/** The places for one kind of work, given out in order of request. */
class Places {
  private readonly busy = new Set<string>();
  private waiting: Waiting[] = [];
  private readonly kind: Kind;

  constructor(kind: Kind) {
    this.kind = kind;
  }

  /** @returns a function that frees the place @throws AppError RATE_LIMITED */
  async take(who: string): Promise<() => void> {
    if (!this.isFree(who)) await this.turn(who);
    else this.busy.add(who);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.busy.delete(who);
      this.startNext();
    };
  }

  private isFree(who: string): boolean {
    return this.busy.size < AT_ONCE && !this.busy.has(who);
  }

  private turn(who: string): Promise<void> {
    const ofOne = this.waiting.filter((other) => other.who === who).length;
    if (ofOne >= this.kind.mayWait || this.waiting.length >= MOST_WAITING) throw this.refusal(who);
    return new Promise((resolve, reject) => {
      const patience = setTimeout(() => {
        this.waiting = this.waiting.filter((other) => other !== entry);
        reject(this.refusal(who));
      }, LONGEST_WAIT_MS);
      const entry: Waiting = {
        who,
        start: () => {
          clearTimeout(patience);
          resolve();
        },
      };
      this.waiting.push(entry);
    });
  }

  private startNext(): void {
    const next = this.waiting.find(({ who }) => this.isFree(who));
    if (next === undefined) return;
    this.waiting = this.waiting.filter((other) => other !== next);
    this.busy.add(next.who);
    next.start();
  }

  private refusal(who: string): AppError {
    const { busy, full } = this.kind;
    const message = this.busy.has(who) ? busy : full;
    return new AppError('RATE_LIMITED', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

const places: Readonly<Record<HeavyKind, Places>> = {
  file: new Places(KINDS.file),
  card: new Places(KINDS.card),
  report: new Places(KINDS.report),
  sharedReport: new Places(KINDS.sharedReport),
  search: new Places(KINDS.search),
  import: new Places(KINDS.import),
  picture: new Places(KINDS.picture),
};

/** Work waiting for its next turn, across all accounts. */
const turns: (() => void)[] = [];

function giveTurn(): void {
  turns.shift()?.();
  if (turns.length > 0) setImmediate(giveTurn);
}

/**
 * Resolves when it is this work's turn again. Between any two turns the process handles everything else that has arrived, so
 * other requests wait only a few milliseconds, however many files are being created.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (turns.push(resolve) === 1) setImmediate(giveTurn);
  });
}

/** The same pieces, with small texts combined and a turn for others after each. */
async function* inPieces(source: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  let text = '';
  for await (const piece of source) {
    if (typeof piece !== 'string') {
      yield piece;
    } else {
      text += piece;
      if (text.length < PIECE_CHARACTERS) continue;
      yield text;
      text = '';
    }
    await nextTurn();
  }
  if (text !== '') yield text;
}

type Source = () => AsyncIterable<string | Uint8Array>;

/** A stream that reads one piece ahead. */
const streamOf = (pieces: AsyncIterable<string | Uint8Array>): Readable =>
  Readable.from(pieces, { objectMode: false, highWaterMark: 1 });

/** Frees the place when the file has ended, failed or lost its client. */
function watched(open: Source, leave: () => void): Readable {
  const givenUpAfter = (ms: number) => setTimeout(() => file.destroy(new ReaderTooSlow()), ms).unref();
  const longest = givenUpAfter(LONGEST_FILE_MS);
  let pause = givenUpAfter(LONGEST_PAUSE_MS);
  async function* taken() {
    clearTimeout(pause);
    for await (const piece of inPieces(open())) {
      pause = givenUpAfter(LONGEST_PAUSE_MS);
      yield piece;
      clearTimeout(pause);
    }
  }
  const file = streamOf(taken());
  file.once('close', () => {
    clearTimeout(longest);
    clearTimeout(pause);
    leave();
  });
  // A failure destroys the stream, so its reader is notified.
  file.on('error', () => {});
  return file;
}

/**
 * A file that is created while it is read: no faster than its client reads, and only while it reads. One per account, or
 * per address of a visitor, at a time. The terminal has its own process and never waits.
 * @param open returns the file's pieces, texts or bytes; called when the first is read
 * @throws AppError RATE_LIMITED if the account's last file, or too many others, are still being created
 */
export async function heavyFile(
  { actor, client }: Pick<Ctx, 'actor' | 'client'>,
  open: Source,
  kind: 'file' | 'card' = 'file',
): Promise<Readable> {
  if (actor.kind === 'cli') return streamOf(inPieces(open()));
  return watched(open, await places[kind].take(actor.kind === 'user' ? actor.id : client.address));
}

/**
 * Work that finishes before the response, one task of its kind per `who` at a time.
 * @param who for example the account's id
 * @throws AppError RATE_LIMITED while the last task, or too many others, are running; errors of `work`
 */
export async function heavyWork<T>(kind: HeavyKind, who: string, work: () => Promise<T>): Promise<T> {
  const leave = await places[kind].take(who);
  try {
    return await work();
  } finally {
    leave();
  }
}
