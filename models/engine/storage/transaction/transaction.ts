import { EngineError } from '../../errors.ts';
import { type CatalogCache, WritableCatalog } from '../catalog/catalog.ts';
import { Counters } from '../catalog/counters.ts';
import type { StoreTransaction, WriteView } from '../types.ts';
import { WritableView } from '../view/write-view.ts';
import type { PinnedKv, Pins } from '../view/snapshot.ts';
import { Journal } from '../write/journal.ts';
import type { WriteQueue } from '../write/queue.ts';
import type { WriteState } from '../write/state.ts';
import { applyJournal } from './apply.ts';
import { OverlayKv } from './overlay.ts';

/** Provisional record ids of a transaction's new documents begin here: after all real ones, in order of insertion. */
const PROVISIONAL = 2 ** 52;

class ProvisionalCounters extends Counters {
  private next = PROVISIONAL;

  override nextRecordId(): number {
    return this.next++;
  }
}

/** A multi-document transaction over one snapshot. */
export class OverlayTransaction implements StoreTransaction {
  private readonly pinned: PinnedKv;
  private readonly pins: Pins;
  private readonly queue: WriteQueue;
  private readonly journal = new Journal();
  private readonly open: WriteView;
  private phase: StoreTransaction['state'] = 'open';

  constructor(pinned: PinnedKv, cache: CatalogCache, pins: Pins, queue: WriteQueue) {
    this.pinned = pinned;
    this.pins = pins;
    this.queue = queue;
    const kv = new OverlayKv(pinned);
    const catalog = new WritableCatalog(kv, cache);
    const state: WriteState = { kv, catalog, counters: new ProvisionalCounters(kv), journal: this.journal };
    this.open = new WritableView(state, (fn) => fn());
  }

  get state(): StoreTransaction['state'] {
    return this.phase;
  }

  get view(): WriteView {
    if (this.phase !== 'open' || this.pinned.released)
      throw new EngineError('NoSuchTransaction', 'The transaction has ended', {
        labels: ['TransientTransactionError'],
      });
    return this.open;
  }

  async commit(also?: (txn: WriteView) => void): Promise<void> {
    // Reading the view throws when the transaction is over.
    void this.view;
    this.phase = 'committed';
    this.pins.unpin(this.pinned);
    if (this.journal.isEmpty && !also) return;
    try {
      const { journal } = this;
      await this.queue.addSteps(function* (state, txn) {
        yield* applyJournal(state, journal);
        also?.(txn);
      });
    } catch (error) {
      this.phase = 'aborted';
      throw error;
    }
  }

  abort(): void {
    if (this.phase !== 'open') return;
    this.phase = 'aborted';
    this.pins.unpin(this.pinned);
  }
}
