import { EngineError } from '../../errors.ts';
import { decode } from '../../values/decode.ts';
import { encode } from '../../values/encode.ts';
import { isRunning } from '../env/running.ts';
import { KIND, ownKey, readRecordId, recordBytes } from '../keys/layout.ts';
import { LmdbKv, type Kv, type KeyRange, type WritableKv } from '../kv.ts';
import { removeRange } from '../upkeep/garbage.ts';

/**
 * While one process compacts, which takes no lock, every write of every process also notes the keys that it changes. At
 * the end the compaction brings its copy up to date by the notes, and only that needs the lock.
 */
const CLAIM = ownKey('compacting');
/** A compaction that was not heard of for so long is gone, whatever became of its process. */
const LONGEST_SILENCE_MS = 30_000;
/** So many notes are removed at a time, so that other writes get in between. */
const PIECE = 2000;

/** Who compacts. */
interface Claim {
  token: string;
  pid: number;
  /** When it was last heard of. */
  at: Date;
}

function readClaim(kv: Kv): Claim | null {
  const bytes = kv.get(CLAIM);
  return bytes ? (decode(bytes) as unknown as Claim) : null;
}

/** Whether somebody compacts, or was cut off while doing so; then writes are noted. */
export function isClaimed(kv: Pick<Kv, 'get'>): boolean {
  return kv.get(CLAIM) !== undefined;
}

/** Whether nobody compacts, or was cut off while doing so. */
export function isUnclaimed(kv: Kv): boolean {
  const claim = readClaim(kv);
  return claim === null || !isLiving(claim);
}

function isLiving({ pid, at }: Claim): boolean {
  return Math.abs(Date.now() - at.getTime()) < LONGEST_SILENCE_MS && isRunning(pid);
}

/**
 * Ends the claim of a compaction that was cut off, and removes its notes a piece at a time.
 * @returns true when nothing is left of it; then there is no claim
 * @throws EngineError 117 when somebody is compacting
 */
export function endAbandoned(kv: WritableKv): boolean {
  const claim = readClaim(kv);
  if (claim && isLiving(claim))
    throw new EngineError(
      'ConflictingOperationInProgress',
      `Process ${claim.pid} is compacting this database already. Wait until it has finished.`,
    );
  if (!removeRange(kv, Buffer.from([KIND.note]), PIECE)) return false;
  kv.remove(CLAIM);
  return true;
}

/** Claims the compaction for this process, or tells that it is still under way. */
export function putClaim(kv: WritableKv, token: string): void {
  kv.put(CLAIM, encode({ token, pid: process.pid, at: new Date() }));
}

/** @throws EngineError 117 when another process has taken over: this one was silent for too long */
export function requireClaim(kv: Kv, token: string): void {
  if (readClaim(kv)?.token !== token)
    throw new EngineError(
      'ConflictingOperationInProgress',
      'The compaction was held up for too long and another process has taken over. Nothing was changed.',
    );
}

export function removeClaim(kv: WritableKv, token: string): void {
  if (readClaim(kv)?.token === token) kv.remove(CLAIM);
}

/** Keys that belong to the compaction itself, and so not into its copy. */
export function isOfCompaction(key: Buffer): boolean {
  return key[0] === KIND.note || key.equals(CLAIM);
}

function noteKey(number: number): Buffer {
  return Buffer.concat([Buffer.from([KIND.note]), recordBytes(number)]);
}

/** The notes after one, in order. */
function notesAfter(number: number): KeyRange {
  return { start: noteKey(number + 1), end: Buffer.from([KIND.note + 1]) };
}

/** What was noted after a note: its number, and the key that was changed. */
export function* readNotes(kv: Kv, after: number): Generator<{ number: number; changed: Buffer }> {
  for (const { key, value } of kv.scan(notesAfter(after)))
    yield { number: readRecordId(key, 1), changed: value };
}

/** Writes that are noted. */
export class NotingKv extends LmdbKv {
  private last: number | null = null;

  override put(key: Buffer, value: Uint8Array): void {
    super.put(key, value);
    this.note(key);
  }

  override remove(key: Buffer): void {
    super.remove(key);
    this.note(key);
  }

  private note(key: Buffer): void {
    if (isOfCompaction(key)) return;
    this.last = (this.last ?? this.lastNote()) + 1;
    super.put(noteKey(this.last), key);
  }

  private lastNote(): number {
    for (const { key } of this.scan(notesAfter(0), { reverse: true, keysOnly: true }))
      return readRecordId(key, 1);
    return 0;
  }
}
