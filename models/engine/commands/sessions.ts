import { EngineError } from '../errors.ts';
import { Binary, isDocument } from '../values/types.ts';
import type { SessionTransaction } from './transactions.ts';

/** A logical session, identified by a client's `lsid`. */
export interface Session {
  /** The UUID as 32 hex digits. */
  id: string;
  lastUse: number;
  /** The highest number of a retryable write or a transaction seen. */
  highest: bigint;
  /** The latest transaction; not that of an earlier number if a retryable write came since. */
  transaction: SessionTransaction | null;
  /** Settles when the numbered commands sent so far have ended. */
  lastCommand: Promise<void> | null;
}

/** Announced as `logicalSessionTimeoutMinutes`. */
export const SESSION_TIMEOUT_MINUTES = 30;
const MOST_SESSIONS = 100_000;

/** The sessions of this engine, in memory only: what must survive a crash is stored with the write itself. */
export class Sessions {
  readonly #byId = new Map<string, Session>();
  readonly #onEnd: (session: Session) => void;

  /** `onEnd` frees what else belongs to a session: its cursors and its transaction. */
  constructor(onEnd: (session: Session) => void) {
    this.#onEnd = onEnd;
  }

  get count(): number {
    return this.#byId.size;
  }

  /** Returns the session, creating it if new. */
  use(id: string): Session {
    const known = this.#byId.get(id);
    if (known) {
      known.lastUse = Date.now();
      return known;
    }
    if (this.#byId.size >= MOST_SESSIONS)
      throw new EngineError(261, 'cannot add session into the cache: too many sessions');
    const session: Session = {
      id,
      lastUse: Date.now(),
      highest: -1n,
      transaction: null,
      lastCommand: null,
    };
    this.#byId.set(id, session);
    return session;
  }

  /** Ends a session; its cursors are closed, and its transaction is aborted. */
  end(id: string): void {
    const session = this.#byId.get(id);
    if (!session) return;
    this.#byId.delete(id);
    this.#onEnd(session);
  }

  /** Frees what belongs to a session, which remembers its numbers; without an id, that of all sessions. */
  kill(id?: string): void {
    for (const session of id === undefined ? this.#byId.values() : [this.#byId.get(id)])
      if (session) this.#onEnd(session);
  }

  /** Ends sessions that have not been used for 30 minutes. */
  expire(now = Date.now()): void {
    for (const { id, lastUse } of this.#byId.values())
      if (now - lastUse > SESSION_TIMEOUT_MINUTES * 60_000) this.end(id);
  }

  endAll(): void {
    for (const id of [...this.#byId.keys()]) this.end(id);
  }
}

/**
 * The hex id of an `lsid` document.
 * @throws EngineError 14, 40414 or 207 (InvalidUUID) when it is not one.
 */
export function sessionIdOf(lsid: unknown): string {
  if (!isDocument(lsid))
    throw new EngineError('TypeMismatch', "BSON field 'lsid' is the wrong type, expected type 'object'");
  const id = lsid['id'];
  if (id === undefined) throw new EngineError(40414, "BSON field 'lsid.id' is missing but a required field");
  if (!(id instanceof Binary) || id.sub_type !== Binary.SUBTYPE_UUID || id.position !== 16) {
    throw new EngineError(207, 'uuid must be a 16-byte binary field with UUID (4) subtype');
  }
  return Buffer.from(id.buffer.subarray(0, 16)).toString('hex');
}
