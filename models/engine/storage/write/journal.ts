import type { Document } from '../../values/types.ts';
import type { IndexSpec, Namespace } from '../types.ts';

/** A document that a transaction changed: its bytes before (null: new) and after (null: removed). */
export interface JournalDocument {
  ns: Namespace;
  recordId: number;
  before: Uint8Array | null;
  after: Uint8Array | null;
}

/** What a multi-document transaction did, by its outcome: the last state of each thing it touched. */
export class Journal {
  readonly documents = new Map<string, JournalDocument>();
  readonly collections = new Map<Namespace, Document>();
  readonly indexes: { ns: Namespace; specs: IndexSpec[] }[] = [];
  readonly metas = new Map<string, Uint8Array | null>();
  /** Identity of each collection written to, as the snapshot knew it. */
  readonly identities = new Map<Namespace, number>();

  noteDocument(change: JournalDocument): void {
    const key = `${change.recordId} ${change.ns}`;
    const known = this.documents.get(key);
    if (!known) this.documents.set(key, change);
    else if (known.before === null && change.after === null) this.documents.delete(key);
    else known.after = change.after;
  }

  get isEmpty(): boolean {
    return this.documents.size + this.collections.size + this.indexes.length + this.metas.size === 0;
  }
}
