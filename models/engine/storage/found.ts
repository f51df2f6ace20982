import { decode, decodeFields } from '../values/codec.ts';
import type { Document } from '../values/types.ts';
import type { Found } from './types.ts';

/** A document as read from the store; decoded when it is first looked into. */
export class StoredDocument implements Found {
  private decoded: Document | null = null;

  constructor(
    readonly recordId: number,
    readonly bytes: Uint8Array,
  ) {}

  get doc(): Document {
    this.decoded ??= decode(this.bytes);
    return this.decoded;
  }

  /** The document, or what of it is in these fields. */
  partOf(fields: ReadonlySet<string>): Document {
    return this.decoded ?? decodeFields(this.bytes, fields);
  }
}
