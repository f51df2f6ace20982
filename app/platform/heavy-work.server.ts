import { Readable } from 'node:stream';
import { AppError } from '#app/domain/errors.ts';
import { MINUTE_MS, SECOND_MS } from '#app/domain/time/calendar.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { ReaderTooSlow } from '#app/platform/http/file-response.server.ts';

/**
 * Work that takes seconds, since it goes through an account from end to end or through every pixel of a picture. One
 * piece of each kind runs for an account at a time and a few in this process; whoever asks for more waits a moment and
 * is then told to come back. A file gives way to other requests every few milliseconds, is read no faster than its reader
 * takes it, and ends when its reader goes away.
 */

interface Kind {
  /** How many more of one account may wait. */
  mayWait: number;
  /** Told to whoever has a piece of work under way already. */
  busy: string;
  /** Told to everybody else when all places are taken. */
  full: string;
}

/** The kinds of such work. Somebody who has a large file on the way can still search or open a report. */
const KINDS = {
  file: {
    mayWait: 3,
    busy: 'Your last file is still being made. Wait until it has arrived, then try again.',
    full: 'Many files are being made just now. Try again in a moment.',
  },
  report: {
    mayWait: 3,
    busy: 'Your last report is still being written. Try again in a moment.',
    full: 'Many reports are being written just now. Try again in a moment.',
  },
  // By link: whoever looks is not the owner, and there may be several.
  sharedReport: {
    mayWait: 8,
    busy: 'This report is being written for others just now. Try again in a moment.',
    full: 'Many reports are being written just now. Try again in a moment.',
  },
  search: {
    mayWait: 3,
    busy: 'Your last search is still running. Try again in a moment.',
    full: 'Many searches are running just now. Try again in a moment.',
  },
  import: {
    mayWait: 3,
    busy: 'Your last file is still being imported. Wait until that has ended, then try again.',
    full: 'Many files are being imported just now. Try again in a moment.',
  },
  // They are small pieces of work, and a phone may send a handful.
  picture: {
    mayWait: 12,
    busy: 'Your last pictures are still being prepared. Try again in a moment.',
    full: 'Many pictures are being prepared just now. Try again in a moment.',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type HeavyKind = keyof typeof KINDS;

/** Pieces of work of one kind that run at once in this process. */
const AT_ONCE = 8;
/** How many may wait, of all accounts together. */
const MOST_WAITING = 32;
/** A short piece of work is over by then; for a long one it is better to be told than to wait. */
const LONGEST_WAIT_MS = 5 * SECOND_MS;
const RETRY_AFTER_SECONDS = 10;

/** A reader who takes nothing for so long, or not all of it in this time, is given up: the place is wanted. */
const LONGEST_PAUSE_MS = MINUTE_MS;
const LONGEST_FILE_MS = 30 * MINUTE_MS;

/** Characters of a file that leave together: a write of the system costs as much as a hundred rows. */
const PIECE_CHARACTERS = 64 * 1024;

interface Waiting {
  who: string;
  start(): void;
}

/** The places for one kind of work. They are taken in the order of asking. */
class Places {
  private readonly busy = new Set<string>();
  private waiting: Waiting[] = [];
  private readonly kind: Kind;

  constructor(kind: Kind) {
    this.kind = kind;
  }

  /** @returns what gives the place back @throws AppError RATE_LIMITED */
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
  report: new Places(KINDS.report),
  sharedReport: new Places(KINDS.sharedReport),
  search: new Places(KINDS.search),
  import: new Places(KINDS.import),
  picture: new Places(KINDS.picture),
};

/** Work that waits for its next turn, of everybody together. */
const turns: (() => void)[] = [];

function giveTurn(): void {
  turns.shift()?.();
  if (turns.length > 0) setImmediate(giveTurn);
}

/**
 * Resolves when it is this work's turn again. Between two turns, whosever they are, the process looks after everything
 * else that has arrived; so others wait for a few milliseconds of work, however many files are being made.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (turns.push(resolve) === 1) setImmediate(giveTurn);
  });
}

/** The same pieces, small texts together, with a turn for others after each. */
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

/** The file of a place, which is given back when the file has ended, failed, or lost its reader. */
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
  // A failure destroys the stream, so whoever reads it learns of it.
  file.on('error', () => {});
  return file;
}

/**
 * A file that is made while it is read: not faster than its reader, and no longer than somebody reads it. One of each
 * account at a time. The terminal has its process to itself and never waits.
 * @param open gives the file's pieces, texts or bytes; it is called when the first of them is wanted
 * @throws AppError RATE_LIMITED when the account's last file is still being made, or too many others are
 */
export async function heavyFile({ actor }: Pick<Ctx, 'actor'>, open: Source): Promise<Readable> {
  if (actor.kind !== 'user') return streamOf(inPieces(open()));
  return watched(open, await places.file.take(actor.id));
}

/**
 * Work that is done whole before it is answered, one piece of its kind for each `who` at a time.
 * @param who whose it is, such as the id of the account
 * @throws AppError RATE_LIMITED while the last one is still running, and while too many others are; what `work` throws
 */
export async function heavyWork<T>(kind: HeavyKind, who: string, work: () => Promise<T>): Promise<T> {
  const leave = await places[kind].take(who);
  try {
    return await work();
  } finally {
    leave();
  }
}
