import { decode, decodeFields } from '../values/decode.ts';
import type { Document } from '../values/types.ts';

/** A stored document. It is decoded on first use and then cached. */
export class Found {
  private decoded: Document | null = null;

  constructor(
    readonly recordId: number,
    /** The BSON as stored. */
    readonly bytes: Uint8Array,
  ) {}

  get doc(): Document {
    this.decoded ??= decode(this.bytes);
    return this.decoded;
  }

  /** The document, or at least these fields of it. */
  partOf(fields: ReadonlySet<string>): Document {
    return this.decoded ?? decodeFields(this.bytes, fields);
  }
}
