import { EngineError } from '../../errors.ts';
import { decode } from '../../values/decode.ts';
import { encode } from '../../values/encode.ts';
import { isRunning } from '../env/running.ts';
import { KIND, ownKey, readRecordId, recordBytes } from '../keys/layout.ts';
import { LmdbKv, type Kv, type KeyRange, type WritableKv } from '../kv.ts';
import { removeRange } from '../upkeep/garbage.ts';

/**
 * While one process compacts, without a lock, every write of every process also notes the keys that it changes. At
 * the end, the compaction updates its copy from the notes, and only that needs the lock.
 */
const CLAIM = ownKey('compacting');
/** A compaction that has not renewed its claim for this long counts as abandoned, even if its process is alive. */
const LONGEST_SILENCE_MS = 30_000;
/** Notes removed at a time, so that other writes can run in between. */
const PIECE = 2000;

/** The compacting process. */
interface Claim {
  token: string;
  pid: number;
  /** When it last renewed the claim. */
  at: Date;
}

function readClaim(kv: Kv): Claim | null {
  const bytes = kv.get(CLAIM);
  return bytes ? (decode(bytes) as unknown as Claim) : null;
}

/** Whether a compaction is running or was interrupted; then writes are noted. */
export function isClaimed(kv: Pick<Kv, 'get'>): boolean {
  return kv.get(CLAIM) !== undefined;
}

/** Whether no compaction is running and none was interrupted. */
export function isUnclaimed(kv: Kv): boolean {
  const claim = readClaim(kv);
  return claim === null || !isLiving(claim);
}

function isLiving({ pid, at }: Claim): boolean {
  return Math.abs(Date.now() - at.getTime()) < LONGEST_SILENCE_MS && isRunning(pid);
}

/**
 * Ends the claim of an interrupted compaction, and removes its notes a piece at a time.
 * @returns true when nothing is left of it and there is no claim
 * @throws EngineError 117 when a process is compacting
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

/** Claims the compaction for this process, or renews the claim. */
export function putClaim(kv: WritableKv, token: string): void {
  kv.put(CLAIM, encode({ token, pid: process.pid, at: new Date() }));
}

/** @throws EngineError 117 when another process has taken over because this one did not renew its claim in time */
export function requireClaim(kv: Kv, token: string): void {
  if (readClaim(kv)?.token !== token)
    throw new EngineError(
      'ConflictingOperationInProgress',
      'The compaction was delayed for too long and another process has taken over. Nothing was changed.',
    );
}

export function removeClaim(kv: WritableKv, token: string): void {
  if (readClaim(kv)?.token === token) kv.remove(CLAIM);
}

/** True for keys of the compaction itself, which are not copied. */
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

/** The notes after one, each with its number and the changed key. */
export function* readNotes(kv: Kv, after: number): Generator<{ number: number; changed: Buffer }> {
  for (const { key, value } of kv.scan(notesAfter(after)))
    yield { number: readRecordId(key, 1), changed: value };
}

/** A `Kv` that notes the keys it changes. */
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
