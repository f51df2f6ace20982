import { LIMITS } from './limits.ts';
import { WireError } from './message.ts';

const HEADER_BYTES = 16;
const EMPTY: Buffer = Buffer.alloc(0);
const SIZE_BYTES = 4;
/** The initial buffer for an incomplete message; it doubles as the message arrives. */
const FIRST_BYTES = 256 * 1024;

/**
 * Splits a byte stream into messages. Holds at most one incomplete message and no more than twice what has arrived of it,
 * so a connection costs at most `LIMITS.messageBytes` while it sends.
 */
export class Framer {
  readonly #sizeBytes = Buffer.alloc(SIZE_BYTES);
  /** The announced length of the current message; 0 while unknown. */
  #size = 0;
  #bytes: Buffer = EMPTY;
  #held = 0;
  readonly #mostBytes: () => number;

  /** `mostBytes` is called for each message. */
  constructor(mostBytes: () => number = () => LIMITS.messageBytes) {
    this.#mostBytes = mostBytes;
  }

  /**
   * Adds bytes and yields the messages they complete.
   * @throws WireError when a header announces an impossible length.
   */
  *push(chunk: Buffer): Generator<Buffer> {
    let at = 0;
    while (at < chunk.length) {
      if (this.#size === 0) {
        const isWhole = this.#held === 0 && chunk.length - at >= SIZE_BYTES;
        const size = isWhole ? this.#checked(chunk.readInt32LE(at)) : 0;
        if (isWhole && chunk.length - at >= size) {
          yield chunk.subarray(at, at + size);
          at += size;
          continue;
        }
        at += this.#takeSize(chunk.subarray(at));
      } else {
        at += this.#take(chunk.subarray(at));
        if (this.#held < this.#size) continue;
        const message = this.#bytes.subarray(0, this.#size);
        this.#size = 0;
        this.#held = 0;
        this.#bytes = EMPTY;
        yield message;
      }
    }
  }

  /** Bytes waiting for the rest of their message. */
  get pending(): number {
    return this.#held;
  }

  /** Reads bytes of the length at the beginning of each message. */
  #takeSize(bytes: Buffer): number {
    const taken = bytes.copy(this.#sizeBytes, this.#held);
    this.#held += taken;
    if (this.#held === SIZE_BYTES) {
      this.#size = this.#checked(this.#sizeBytes.readInt32LE(0));
      this.#bytes = Buffer.allocUnsafeSlow(Math.min(this.#size, FIRST_BYTES));
      this.#sizeBytes.copy(this.#bytes);
    }
    return taken;
  }

  #take(bytes: Buffer): number {
    const length = Math.min(bytes.length, this.#size - this.#held);
    if (this.#held + length > this.#bytes.length) {
      const room = Math.max(this.#held + length, 2 * this.#bytes.length);
      const larger = Buffer.allocUnsafeSlow(Math.min(this.#size, room));
      this.#bytes.copy(larger, 0, 0, this.#held);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, this.#held, 0, length);
    this.#held += length;
    return length;
  }

  #checked(size: number): number {
    if (size < HEADER_BYTES || size > this.#mostBytes())
      throw new WireError(`a message claims ${size} bytes`);
    return size;
  }
}
